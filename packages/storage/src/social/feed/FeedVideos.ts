import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { makeReadModelRequests } from "../../video/read/ReadModelRequests.ts"
import { makeVideoDetails } from "../../video/read/VideoTexts.ts"

/** Captions of a video: address on this instance, or where they are. */
export interface FeedCaption {
  readonly language: string
  readonly filename: string
  readonly remoteUrl: string | null
}

/** A video as feeds tell of it. */
export interface FeedVideoRow {
  readonly id: number
  /**
   * JSON text of the details (contract: VideoDetails) without counts, account, channel and the last brace; null: they have
   * the stamp.
   */
  readonly details: string | null
  /** The details are the same as long as this is; null: they were made for this reading. */
  readonly stamp: string | null
  readonly views: number
  readonly channelName: string
  /** `name`, or `name@host` for one of another instance. */
  readonly channelHandle: string
  readonly accountName: string
  readonly accountHandle: string
  readonly captions: ReadonlyArray<FeedCaption>
  readonly chaptersByHand: boolean
  readonly hasChapters: boolean
}

interface Found extends FeedVideoRow {
  /** Its text is not kept at the moment. */
  readonly missing: boolean
}

const handle = (actor: string, server: string) => `${actor}.preferred_username || coalesce('@' || ${server}.host, '')`

const statement = `
  select v.id, w.details is null as missing, v.views,
    case when w.details is not null then w.xmin::text end as stamp,
    case when w.xmin::text <> o.stamp then w.details end as details,
    c.display_name as "channelName", ${handle("ca", "cs")} as "channelHandle",
    a.display_name as "accountName", ${handle("aa", "aserver")} as "accountHandle",
    coalesce((
      select json_agg(json_build_object('language', t.language, 'filename', t.filename, 'remoteUrl', t.remote_url)
        order by t.language)
      from video_caption t where t.video_id = v.id
    ), '[]') as captions,
    v.chapters_by_hand as "chaptersByHand",
    case when v.chapters_by_hand then exists (select 1 from video_chapter h where h.video_id = v.id)
      else coalesce((
        select json_array_length(coalesce(s.metadata -> 'chapters', '[]')::json) > 0 from video_source s
        where s.video_id = v.id and s.shown and jsonb_typeof(s.metadata -> 'chapters') = 'array'
        order by s.created_at desc limit 1
      ), false) end as "hasChapters"
  from unnest($1::int[], $3::text[]) with ordinality o (id, stamp, n) join video v on v.id = o.id
    join video_channel c on c.id = v.channel_id join actor ca on ca.id = c.actor_id left join server cs on cs.id = ca.server_id
    join account a on a.id = v.account_id join actor aa on aa.id = a.actor_id
    left join server aserver on aserver.id = aa.server_id
    left join video_read_model w on w.video_id = v.id
  where v.visible <> 0 or not $2::boolean
  order by o.n`

/**
 * What feeds tell of videos beyond what lists do. A kept text is written by one transaction, by whose id (`xmin`) it is
 * known again: any change writes its row anew.
 */
export class FeedVideos extends Context.Service<
  FeedVideos,
  {
    /**
     * These videos, in this order. With `listedOnly` those that have become private or blocked since they were listed are
     * left out, as are those that are gone. `stamps` are those of the details that the caller has, in the same order; empty
     * texts where it has none.
     */
    readonly of: (
      ids: ReadonlyArray<number>,
      listedOnly: boolean,
      stamps: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<FeedVideoRow>, DatabaseUnavailable>
  }
>()("@kinora/storage/feeds/FeedVideos") {
  static readonly layer = Layer.effect(
    FeedVideos,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const asked = makeReadModelRequests(sql, yield* Effect.scope)
      return FeedVideos.of({
        of: Effect.fn("FeedVideos.of")(function* (
          ids: ReadonlyArray<number>,
          listedOnly: boolean,
          stamps: ReadonlyArray<string>
        ) {
          if (ids.length === 0) return []
          const rows = yield* sql.unsafe<Found>(statement, [ids, listedOnly, stamps])
          const missing = rows.filter((row) => row.missing).map((row) => row.id)
          if (missing.length === 0) return rows
          const made = yield* makeVideoDetails(sql, missing)
          yield* asked(missing)
          return rows.flatMap((row) => {
            if (!row.missing) return [row]
            const details = made.get(row.id)
            return details === undefined ? [] : [{ ...row, details }]
          })
        }, withDatabaseErrors)
      })
    })
  )
}
