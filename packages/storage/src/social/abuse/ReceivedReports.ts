import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { recordEvent } from "../notification/NotificationEvents.ts"

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

      const add = Effect.fn("ReceivedReports.add")(function* (report: ReceivedReport) {
        const { endAt, reason, reasons, reporterId, startAt, targets, url } = report
        let made = 0
        for (const target of targets) {
          const [row] = yield* sql<{ id: number | null }>`
            select add_abuse(${reporterId}::integer, ${url}::text, ${target}::text, ${reason}::text,
              ${reasons}::smallint[], ${startAt}::integer, ${endAt}::integer, ${mostPending}::integer) as id`
          if (row === undefined || row.id === null) continue
          yield* recordEvent(sql, { _tag: "NewAbuse", abuseId: row.id })
          made += 1
        }
        return made
      }, withDatabaseErrors)

      return ReceivedReports.of({ isTooMuch, add })
    })
  )
}
