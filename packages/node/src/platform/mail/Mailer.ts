import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Context, Effect, Layer, Schema } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import type { Mail } from "./Mail.ts"
import { sendsMail } from "./SendsMail.ts"

/** Job type of a mail on the board (contract: JobType). */
export const mailJobType = "email"
/** Job type of a request for a mail, whose address has to be looked up. */
export const requestedMailType = "requested-email"

/**
 * Payload of such a job. `sealed` is a `Mail` as encrypted JSON. It is removed once the mail was sent or never will be.
 */
export const MailJob = Schema.Struct({ kind: Schema.String, sealed: Schema.String })

/** With the board's delays about an hour: as long as the links in these mails are valid. */
const attemptsOfAnHour = 15
/** The same for about a day and a half. */
const attemptsOfDays = 300

const shortLived: ReadonlySet<Mail["_tag"]> = new Set(["VerifyEmail", "VerifyRegistration", "ResetPassword", "Test"])

/**
 * Sends mail through the job board: a mail queued inside `sql.withTransaction` is sent once the transaction commits,
 * and retried while the mail server is down. The mail is encrypted in the job, since links in it give access to
 * accounts.
 */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether mail is configured. Without it nothing may be queued. */
    readonly enabled: boolean
    readonly queue: (mail: Mail) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/mail/Mailer") {
  static readonly layer = Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const board = yield* JobBoard
      const secrets = yield* SecretBox
      return Mailer.of({
        enabled: sendsMail(config),
        queue: Effect.fn("Mailer.queue")(function* (mail: Mail) {
          const sealed = secrets.seal(JSON.stringify(mail), "mail")
          const payload: typeof MailJob.Type = { kind: mail._tag, sealed }
          const maxAttempts = shortLived.has(mail._tag) ? attemptsOfAnHour : attemptsOfDays
          yield* board.enqueue({ type: mailJobType, payload, maxAttempts })
        })
      })
    })
  )
}
