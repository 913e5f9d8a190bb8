import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoChannelSummary } from "@kinora/domain/wire/Account"
import { type Json, toJson } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { actorSummary } from "../../people/actor/ActorJson.ts"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The choices for overviews, one page each. */
export interface OverviewPicks {
  readonly categories: ReadonlyArray<number>
  /** With the channel as JSON text (contract: VideoChannelSummary). */
  readonly channels: ReadonlyArray<{ readonly id: number; readonly json: Json<VideoChannelSummary> }>
  readonly tags: ReadonlyArray<string>
}

/** With at least this many videos an entry is picked first. Entries with fewer come after them. */
const plenty = 6

/** Channels and tags are picked from this many of the newest and of the hottest videos. */
const looked = 500

const shuffled = (key: string) => `count.n >= ${plenty} desc, md5(${key} || $1)`

const counted = (condition: string, from = "video v") =>
  `lateral (select count(*) as n from (select 1 from ${from} where v.visible = 2 and ${condition} limit ${plenty}) x) count`

const sample = `(select id, channel_id from video v where visible = 2 order by hot_score desc, id desc limit ${looked})
  union (select id, channel_id from video v where visible = 2 order by published_at desc, id desc limit ${looked})`

const statements = {
  categories: `select c.category from unnest($2::int[]) c (category), ${counted("v.category = c.category")}
    where count.n > 0 order by ${shuffled("c.category::text")} limit $3`,
  channels: `select c.id, c.actor_id as "actorId"
    from (select distinct channel_id from (${sample}) s) s join video_channel c on c.id = s.channel_id
      join actor a on a.id = c.actor_id and a.discoverable,
      ${counted("v.channel_id = c.id")} order by ${shuffled("c.id::text")} limit $2`,
  tags: `select t.name::text from (
      select distinct vt.tag_id from (${sample}) s join video_tag vt on vt.video_id = s.id
    ) s join tag t on t.id = s.tag_id, ${counted("vt.tag_id = t.id", "video_tag vt join video v on v.id = vt.video_id")}
    order by ${shuffled("t.name::text")} limit $2`
}

/** Picks what overviews show: the same for the same seed, as long as the videos do not change. */
export class OverviewRows extends Context.Service<
  OverviewRows,
  {
    /** @param max how many of each kind */
    readonly pick: (
      seed: string,
      categories: ReadonlyArray<number>,
      max: number
    ) => Effect.Effect<OverviewPicks, DatabaseUnavailable>
  }
>()("@kinora/storage/search/OverviewRows") {
  static readonly layer = Layer.effect(
    OverviewRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pick = Effect.fn("OverviewRows.pick")(function* (seed: string, known: ReadonlyArray<number>, max: number) {
        const categories = yield* sql.unsafe<{ category: number }>(statements.categories, [seed, known, max])
        const channels = yield* sql.unsafe<{ id: number; actorId: number }>(statements.channels, [seed, max])
        const actors = yield* actorRows(
          sql,
          channels.map(({ actorId }) => actorId)
        )
        const tags = yield* sql.unsafe<{ name: string }>(statements.tags, [seed, max])
        return {
          categories: categories.map(({ category }) => category),
          channels: channels.flatMap(({ actorId, id }) => {
            const actor = actors.get(actorId)
            return actor === undefined ? [] : [{ id, json: toJson<VideoChannelSummary>(actorSummary(actor)) }]
          }),
          tags: tags.map(({ name }) => name)
        } satisfies OverviewPicks
      }, withDatabaseErrors)
      return OverviewRows.of({ pick })
    })
  )
}
