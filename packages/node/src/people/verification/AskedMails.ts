import { MailNotConfigured } from "@kinora/domain/errors/AuthErrors"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { EmailRows } from "@kinora/storage/people/verification/EmailRows"
import { Clock, Context, Duration, Effect, Layer, Option, Queue, Schedule } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { hashToken } from "../session/TokenHash.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { EmailVerification } from "./EmailVerification.ts"
import { PasswordLinks } from "./PasswordLinks.ts"

/** What somebody asks to be sent to an address. */
export interface AskedMail {
  readonly what: "verify-user" | "verify-registration" | "reset-password"
  readonly email: string
}

/** Asks that wait for their turn: more than a flood that passes the limits of clients leaves. */
const mostWaiting = 1000
const retryAfterSeconds = 60

/** While the database is away an ask waits; it is given up when the links would be of no use any more. */
const whileAway = { schedule: Schedule.max([Schedule.spaced("5 seconds"), Schedule.recurs(120)]) }

/**
 * Mails that anybody may ask for. An address gets as many of a kind as one client may ask for
 * (`rates_limit.ask_send_email`), however many clients ask. Asks are answered before anything is looked up, and done
 * one after the other: neither the answer nor the time it takes tells whether an address is known. An ask does not
 * survive the process: it can be made again.
 */
export class AskedMails extends Context.Service<
  AskedMails,
  {
    /** Fails when the instance sends no mail, or too many asks wait. */
    readonly ask: (mail: AskedMail) => Effect.Effect<void, MailNotConfigured | RateLimited>
  }
>()("@kinora/node/verification/AskedMails") {
  static readonly layer = Layer.effect(
    AskedMails,
    Effect.gen(function* () {
      const { ask_send_email } = (yield* KinoraConfig).rates_limit
      const limit = { max: ask_send_email.max, windowMillis: Duration.toMillis(ask_send_email.window) }
      const store = yield* RateLimitStore
      const supervisor = yield* Supervisor
      const mailer = yield* Mailer
      const rows = yield* EmailRows
      const verification = yield* EmailVerification
      const passwords = yield* PasswordLinks
      const waiting = yield* Queue.dropping<AskedMail>(mostWaiting)

      const verifyUser = Effect.fnUntraced(function* (address: string) {
        const user = yield* rows.userByEmail(address)
        if (Option.isSome(user)) yield* verification.sendForUser(user.value.id)
        for (const { id, pendingEmail, username } of yield* rows.waitingFor(address)) {
          // Never to the address as it was typed: the database takes some letters for others, a mail server does not.
          if (pendingEmail !== null) yield* verification.sendForChange(id, username, pendingEmail)
        }
      })

      const isFlooded = Effect.fnUntraced(function* ({ email, what }: AskedMail) {
        // As the database compares addresses; those it alone takes for one are refused where they are read (UserFields).
        const address = Buffer.from(hashToken(email.toLowerCase())).toString("base64url")
        const now = yield* Clock.currentTimeMillis
        return (yield* store.hit(`asked_mail:${what}:${address}`, limit, now)).used > limit.max
      })

      const send = Effect.fn("AskedMails.send")(function* (mail: AskedMail) {
        if (mail.what === "verify-user") return yield* verifyUser(mail.email)
        if (mail.what === "verify-registration") {
          const registration = yield* rows.registrationByEmail(mail.email)
          if (Option.isNone(registration)) return
          const { email, id, username } = registration.value
          return yield* verification.sendForRegistration(id, username, email)
        }
        const user = yield* rows.userByEmail(mail.email)
        if (Option.isNone(user)) return
        yield* passwords.sendReset(user.value.id, user.value.username, user.value.email)
      })

      yield* supervisor.run(
        "asked mails",
        Effect.forever(
          Effect.flatMap(Queue.take(waiting), (mail) =>
            Effect.flatMap(isFlooded(mail), (flooded) =>
              flooded
                ? Effect.logInfo(`A mail (${mail.what}) was asked for too often for one address: it is not sent again`)
                : Effect.retry(send(mail), whileAway)
            ).pipe(
              Effect.catchTag("DatabaseUnavailable", (error: DatabaseUnavailable) =>
                Effect.logError(`A mail that was asked for (${mail.what}) is not sent`, error)
              )
            )
          )
        )
      )

      return AskedMails.of({
        ask: Effect.fn("AskedMails.ask")(function* (mail: AskedMail) {
          if (!mailer.enabled) return yield* new MailNotConfigured()
          if (!(yield* Queue.offer(waiting, mail))) return yield* new RateLimited({ retryAfterSeconds })
        })
      })
    })
  )
}
