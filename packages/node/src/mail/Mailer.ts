import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import type { Mail } from "./Mail.ts"

/** Job type of a mail on the board (contract: JobType). */
export const mailJobType = "email"

/**
 * Sends mail by way of the job board: a mail queued inside `sql.withTransaction` goes out when the transaction is
 * committed, and is tried again when the mail server is away. The mail is sealed in the job: links in it open accounts.
 */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether the configuration says how mail leaves. Without it nothing may be queued. */
    readonly enabled: boolean
    readonly queue: (mail: Mail) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/mail/Mailer") {
  static readonly layer = Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const { smtp } = yield* KinoraConfig
      const board = yield* JobBoard
      const secrets = yield* SecretBox
      return Mailer.of({
        enabled: smtp.transport === "sendmail" ? smtp.sendmail !== null : smtp.hostname !== null,
        queue: Effect.fn("Mailer.queue")(function* (mail: Mail) {
          const sealed = secrets.seal(JSON.stringify(mail), "mail")
          yield* board.enqueue({ type: mailJobType, payload: { kind: mail._tag, sealed }, maxAttempts: 8 })
        })
      })
    })
  )
}
