import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"

export type RatingKind = "like" | "dislike"

/** What an account thinks of a video from now on. */
export interface WantedRating {
  readonly accountId: number
  readonly videoId: number
  /** Null: neither any more. */
  readonly rating: RatingKind | null
  /** Changes nothing unless this is what the account thought so far. */
  readonly instead?: RatingKind | undefined
}

/** The last word of each account about each video. */
const lastWords = (wanted: ReadonlyArray<WantedRating>): ReadonlyArray<WantedRating> => [
  ...new Map(wanted.map((it) => [`${it.accountId} ${it.videoId}`, it])).values()
]

/** What accounts think of videos, with the counts of these. One rating is written as many are. */
export class RateRows extends Context.Service<
  RateRows,
  {
    /**
     * Writes ratings and the counts of their videos together; of several by one account about one video the last holds, and
     * those whose account or video is gone are left out. `remote`: all are of accounts elsewhere about videos of ours, which
     * nobody has to hear of. Answers how many ratings changed.
     */
    readonly setAll: (
      wanted: ReadonlyArray<WantedRating>,
      options?: { readonly remote: boolean }
    ) => Effect.Effect<number, DatabaseUnavailable>
    /** Null: neither any more. False when there is no such account or video. Takes part in the caller's transaction. */
    readonly set: (
      accountId: number,
      videoId: number,
      rating: RatingKind | null
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/rates/RateRows") {
  static readonly layer = Layer.effect(
    RateRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Accounts before videos, each in their order, as everybody locks them. */
      const lock = Effect.fnUntraced(function* (wanted: ReadonlyArray<WantedRating>) {
        const accountIds = [...new Set(wanted.map((it) => it.accountId))]
        const videoIds = [...new Set(wanted.map((it) => it.videoId))]
        const accounts = yield* sql<{ id: number }>`
          select id from account where id = any(${accountIds}::integer[]) order by id for key share`
        const videos = yield* sql<{ id: number }>`
          select id from video where id = any(${videoIds}::integer[]) order by id for no key update`
        const [account, video] = [accounts, videos].map((rows) => new Set(rows.map(({ id }) => id)))
        return wanted.filter((it) => account!.has(it.accountId) && video!.has(it.videoId))
      })

      const write = Effect.fnUntraced(function* (ratings: ReadonlyArray<WantedRating>) {
        const rows = yield* sql<{ changed: number }>`
          with changed as (
            select w.*, r.type as former from unnest(
              ${ratings.map((it) => it.accountId)}::integer[], ${ratings.map((it) => it.videoId)}::integer[],
              ${ratings.map((it) => it.rating ?? "")}::text[], ${ratings.map((it) => it.instead ?? "")}::text[]
            ) w (account_id, video_id, type, instead) left join account_video_rate r using (account_id, video_id)
            where coalesce(r.type, '') <> w.type and w.instead in ('', r.type)
          ), gone as (
            delete from account_video_rate r using changed c
            where c.type = '' and r.account_id = c.account_id and r.video_id = c.video_id
          ), written as (
            insert into account_video_rate (account_id, video_id, type)
            select account_id, video_id, type from changed where type <> ''
            on conflict (account_id, video_id) do update set type = excluded.type, updated_at = now()
          ), sums as (
            select video_id,
              count(*) filter (where type = 'like') - count(*) filter (where former = 'like') as likes,
              count(*) filter (where type = 'dislike') - count(*) filter (where former = 'dislike') as dislikes
            from changed group by video_id
          ), counted as (
            update video v set likes = v.likes + s.likes, dislikes = v.dislikes + s.dislikes from sums s
            where v.id = s.video_id and (s.likes <> 0 or s.dislikes <> 0)
          )
          select count(*)::integer as changed from changed`
        return rows[0]!.changed
      })

      const setAll = Effect.fnUntraced(
        function* (wanted: ReadonlyArray<WantedRating>, options?: { readonly remote: boolean }) {
          const ratings = yield* lock(lastWords(wanted))
          if (ratings.length === 0) return 0
          if (options?.remote !== true) return yield* write(ratings)
          // The triggers of ratings look for one of ours in each row (sql/federation/triggers/outbox-ratings.sql).
          yield* sql`select set_config('kinora.rates_of_others', 'on', true)`
          const changed = yield* write(ratings)
          yield* sql`select set_config('kinora.rates_of_others', '', true)`
          return changed
        },
        inTransaction(sql),
        withDatabaseErrors
      )

      const set = Effect.fnUntraced(
        function* (accountId: number, videoId: number, rating: RatingKind | null) {
          const ratings = yield* lock([{ accountId, videoId, rating }])
          if (ratings.length > 0) yield* write(ratings)
          return ratings.length > 0
        },
        inTransaction(sql),
        withDatabaseErrors
      )

      return RateRows.of({ setAll, set })
    })
  )
}
