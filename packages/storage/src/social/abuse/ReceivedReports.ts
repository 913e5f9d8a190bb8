import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { recordEvent } from "../notification/NotificationEvents.ts"
import { type FlaggedThing, flaggedThings } from "./FlaggedThings.ts"

/** What somebody of another instance reports; texts are bounded before. */
export interface ReceivedReport {
  /** Row of `account`. */
  readonly reporterId: number
  /** Id of the activity. */
  readonly url: string
  /** Addresses of what is reported; those that name nothing of ours come to nothing. */
  readonly targets: ReadonlyArray<string>
  readonly reason: string
  /** Contract AbusePredefinedReason. */
  readonly reasons: ReadonlyArray<number>
  /** Seconds of a video. */
  readonly startAt: number | null
  readonly endAt: number | null
}

/** Reports that are taken within an hour of one who reports, of all of one instance, and of all instances. */
const bounds = { reporter: 30, host: 200, all: 2_000 }
/** Undecided ones of one about the same thing. */
const mostPending = 3

/** Reports to the moderators that come from other instances. */
export class ReceivedReports extends Context.Service<
  ReceivedReports,
  {
    /** Whether one more of who reports has to be refused: moderators could not read them all. */
    readonly isTooMuch: (reporterId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Writes a row for each thing of ours, and records it for the moderators; answers how many. The same report once more adds none. Takes
     * part in the caller's transaction.
     */
    readonly add: (report: ReceivedReport) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/abuses/ReceivedReports") {
  static readonly layer = Layer.effect(
    ReceivedReports,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const isTooMuch = Effect.fnUntraced(function* (reporterId: number) {
        const [row] = yield* sql<{ full: boolean }>`
          select count(*) filter (where b.reporter_account_id = ${reporterId}) >= ${bounds.reporter}
            or count(*) filter (where t.server_id = me.server_id) >= ${bounds.host} or count(*) >= ${bounds.all} as full
          from (
            select m.server_id from account o join actor m on m.id = o.actor_id where o.id = ${reporterId}
          ) me, abuse b left join account f on f.id = b.reporter_account_id left join actor t on t.id = f.actor_id
          where b.created_at > now() - interval '1 hour' and b.url is not null`
        return row!.full
      }, withDatabaseErrors)

      const find = flaggedThings(sql)

      const isPending = Effect.fnUntraced(function* (reporterId: number, { id, kind }: FlaggedThing) {
        const [row] = yield* sql<{ pending: number }>`
          select count(*)::integer as pending from abuse
          where reporter_account_id = ${reporterId} and state = 1 and kind = ${kind}
            and target ->> 'id' = ${String(id)}`
        return row!.pending >= mostPending
      })

      const insert = Effect.fnUntraced(function* (report: ReceivedReport, { kind, thing }: FlaggedThing) {
        const { endAt, reason, reasons, reporterId, startAt, url } = report
        const { commentId, flaggedAccountId, target, videoId } = thing
        const [from, to] = kind === "video" ? [startAt, endAt] : [null, null]
        const [row] = yield* sql<{ id: number }>`
          insert into abuse (reason, predefined_reasons, reporter_account_id, flagged_account_id, kind, video_id, comment_id,
            start_at, end_at, target, url)
          values (${reason}, ${reasons}::smallint[], ${reporterId}, ${flaggedAccountId}::integer, ${kind}, ${videoId}::integer,
            ${commentId}::integer, ${from}::integer, ${to}::integer, ${JSON.stringify(target)}::text::jsonb, ${url})
          on conflict do nothing returning id`
        return row?.id
      })

      const add = Effect.fn("ReceivedReports.add")(function* (report: ReceivedReport) {
        const { reporterId, targets } = report
        const reporter = yield* sql`select 1 from account where id = ${reporterId} for key share`
        if (reporter.length === 0) return 0
        let made = 0
        for (const url of targets) {
          const thing = yield* find(url)
          if (thing === undefined || (yield* isPending(reporterId, thing))) continue
          const abuseId = yield* insert(report, thing)
          if (abuseId === undefined) continue
          yield* recordEvent(sql, { _tag: "NewAbuse", abuseId })
          made += 1
        }
        return made
      }, withDatabaseErrors)

      return ReceivedReports.of({ isTooMuch, add })
    })
  )
}
