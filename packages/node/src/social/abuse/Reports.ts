import { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import { CommentNotFound } from "@kinora/domain/errors/CommentErrors"
import type { InvalidParameters, RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { NewAbuse } from "@kinora/domain/requests/AbuseRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { type NewReport, NewReports } from "@kinora/storage/social/abuse/NewReports"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeUserPace } from "../../people/user/UserPace.ts"
import type { AccessRefused, Presented } from "../../video/list/VideoAccess.ts"
import { ReportableThings } from "./ReportableThings.ts"

type Refusal = AccessRefused | AccountNotFound | CommentNotFound | InvalidParameters | RateLimited | DatabaseUnavailable

/** Why nothing was written: it went at this moment. */
const gone = {
  video: () => new VideoNotFound(),
  comment: () => new CommentNotFound(),
  account: () => new AccountNotFound()
} as const

/** Reports that users make. */
export class Reports extends Context.Service<
  Reports,
  {
    /** Answers the id of the report. Moderators are notified; so is the instance of what is not of this one. */
    readonly report: (user: CurrentUserShape, report: NewAbuse, presented: Presented) => Effect.Effect<number, Refusal>
  }
>()("@kinora/node/social/abuse/Reports") {
  static readonly layer = Layer.effect(
    Reports,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const things = yield* ReportableThings
      const rows = yield* NewReports
      const events = yield* NotificationEvents
      const hold = yield* makeUserPace("report_abuse", (yield* KinoraConfig).rates_limit.report_abuse)

      const add = Effect.fnUntraced(
        function* (report: NewReport) {
          const abuseId = yield* rows.add(report)
          if (abuseId === undefined) {
            return yield* Effect.fail<Refusal>(gone[report.thing.kind]())
          }
          yield* events.record({ _tag: "NewAbuse", abuseId })
          return abuseId
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return Reports.of({
        report: Effect.fn("Reports.report")(function* (user, body, presented) {
          const found = yield* things.find(user, body, presented)
          const { predefinedReasons = [], reason } = body
          return yield* hold(user, add({ ...found, reporterId: user.accountId, reason, reasons: predefinedReasons }))
        })
      })
    })
  )
}
