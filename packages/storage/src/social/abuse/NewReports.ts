import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { reportedThing, type ThingNamed } from "./ReportedThings.ts"

/** A report by a user of this instance. */
export interface NewReport {
  /** Row of `account`. */
  readonly reporterId: number
  readonly thing: ThingNamed
  readonly reason: string
  /** Contract AbusePredefinedReason. */
  readonly reasons: ReadonlyArray<number>
  /** Seconds of a video. */
  readonly startAt: number | null
  readonly endAt: number | null
  /** Whether the reporter may be shown what they reported; see changes/0063-reports.sql. */
  readonly isShown: boolean
}

/** Reports by users of this instance; those of others are `ReceivedReports`. */
export class NewReports extends Context.Service<
  NewReports,
  {
    /**
     * Writes a report in the caller's transaction; answers its id. A trigger marks it for other instances. Undefined: the
     * thing or the reporter is gone.
     */
    readonly add: (report: NewReport) => Effect.Effect<number | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/social/abuse/NewReports") {
  static readonly layer = Layer.effect(
    NewReports,
    Effect.map(SqlClient, (sql) =>
      NewReports.of({
        add: Effect.fn("NewReports.add")(function* (report: NewReport) {
          const { endAt, isShown, reason, reasons, reporterId, startAt } = report
          const reporter = yield* sql`select 1 from account where id = ${reporterId} for key share`
          const thing = reporter.length === 0 ? undefined : yield* reportedThing(sql, report.thing)
          if (thing === undefined) return undefined
          const rows = yield* sql<{ id: number }>`
            insert into abuse (reason, predefined_reasons, reporter_account_id, flagged_account_id, kind, video_id,
              comment_id, start_at, end_at, target, shown_to_reporter)
            values (${reason}, ${reasons}::smallint[], ${reporterId}, ${thing.flaggedAccountId}::integer,
              ${report.thing.kind}, ${thing.videoId}::integer, ${thing.commentId}::integer, ${startAt}::integer,
              ${endAt}::integer, ${JSON.stringify(thing.target)}::text::jsonb, ${isShown})
            returning id`
          return rows[0]!.id
        }, withDatabaseErrors)
      })
    )
  )
}
