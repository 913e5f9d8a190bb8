import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { MailingRows } from "@kinora/storage/instance/mailing/MailingRows"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Announcements } from "./Announcements.ts"

/** How long a mailing rests between two portions. Their size follows from the rate. */
const pause = Duration.seconds(10)

/** Hands mailings over to the mail queue, no faster than the configured rate. */
export class MailingPortions extends Context.Service<
  MailingPortions,
  {
    /** Queues the next portion of the mailing that is due; false: none is. A mail is queued with what notes that it was. */
    readonly next: Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/instance/mailing/MailingPortions") {
  static readonly layer = Layer.effect(
    MailingPortions,
    Effect.gen(function* () {
      const { email } = yield* KinoraConfig
      const sql = yield* SqlClient
      const rows = yield* MailingRows
      const mailer = yield* Mailer
      const announcements = yield* Announcements

      const next = Effect.gen(function* () {
        const most = Math.max(1, Math.floor((email.announcements.per_minute * Duration.toSeconds(pause)) / 60))
        const due = yield* rows.take(most, Duration.toSeconds(pause))
        if (Option.isNone(due)) return false
        const { recipients, toNamed } = due.value
        yield* Effect.forEach(
          recipients,
          (recipient) => mailer.queue(announcements.mail(due.value, recipient, !toNamed)),
          { discard: true }
        )
        return true
      }).pipe(sql.withTransaction, withDatabaseErrors, Effect.withSpan("MailingPortions.next"))

      return MailingPortions.of({ next })
    })
  )
}

/** Sends mailings, where mail is configured. */
export const MailingTask = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Mailer
    if (!mailer.enabled) return
    const portions = yield* MailingPortions
    yield* runOnce("mailings", every(Duration.seconds(5), Effect.repeat(portions.next, { while: (more) => more })))
  })
)
