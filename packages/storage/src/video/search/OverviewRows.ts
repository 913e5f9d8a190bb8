import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** What overviews show, a page each. */
export interface OverviewPicks {
  readonly categories: ReadonlyArray<number>
  /** With the channel as JSON text (contract: VideoChannelSummary). */
  readonly channels: ReadonlyArray<{ readonly id: number; readonly json: string }>
  readonly tags: ReadonlyArray<string>
}

/** Videos from which something is picked for sure when it has as many; else it comes after what has. */
const plenty = 6

/** Channels and tags are picked from the newest and the hottest videos, so many of each. */
const looked = 500

const shuffled = (key: string) => `count.n >= ${plenty} desc, md5(${key} || $1)`

const counted = (condition: string, from = "video v") =>
  `lateral (select count(*) as n from (select 1 from ${from} where v.visible = 2 and ${condition} limit ${plenty}) x) count`

const sample = `(select id, channel_id from video v where visible = 2 order by hot_score desc, id desc limit ${looked})
  union (select id, channel_id from video v where visible = 2 order by published_at desc, id desc limit ${looked})`

const statements = {
  categories: `select c.category from unnest($2::int[]) c (category), ${counted("v.category = c.category")}
    where count.n > 0 order by ${shuffled("c.category::text")} limit $3`,
  channels: `select c.id, wire_actor_summary(c.id, c.display_name, c.actor_id, wire_origin())::text as json
    from (select distinct channel_id from (${sample}) s) s join video_channel c on c.id = s.channel_id
      join actor a on a.id = c.actor_id and a.discoverable,
      ${counted("v.channel_id = c.id")} order by ${shuffled("c.id::text")} limit $2`,
  tags: `select t.name::text from (
      select distinct vt.tag_id from (${sample}) s join video_tag vt on vt.video_id = s.id
    ) s join tag t on t.id = s.tag_id, ${counted("vt.tag_id = t.id", "video_tag vt join video v on v.id = vt.video_id")}
    order by ${shuffled("t.name::text")} limit $2`
}

/** Chooses what overviews show: the same for the same seed, as long as videos stay as they are. */
export class OverviewRows extends Context.Service<
  OverviewRows,
  {
    /** @param most how many of each kind */
    readonly pick: (
      seed: string,
      categories: ReadonlyArray<number>,
      most: number
    ) => Effect.Effect<OverviewPicks, DatabaseUnavailable>
  }
>()("@kinora/storage/search/OverviewRows") {
  static readonly layer = Layer.effect(
    OverviewRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pick = Effect.fn("OverviewRows.pick")(function* (seed: string, known: ReadonlyArray<number>, most: number) {
        const categories = yield* sql.unsafe<{ category: number }>(statements.categories, [seed, known, most])
        const channels = yield* sql.unsafe<{ id: number; json: string }>(statements.channels, [seed, most])
        const tags = yield* sql.unsafe<{ name: string }>(statements.tags, [seed, most])
        return {
          categories: categories.map(({ category }) => category),
          channels,
          tags: tags.map(({ name }) => name)
        } satisfies OverviewPicks
      }, withDatabaseErrors)
      return OverviewRows.of({ pick })
    })
  )
}
