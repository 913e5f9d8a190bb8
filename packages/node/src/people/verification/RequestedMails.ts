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

/** A mail that somebody requested. */
export interface RequestedMail {
  readonly what: "verify-user" | "verify-registration" | "reset-password"
  readonly email: string
}

/** Requests that may wait in the queue: more than a flood within the clients' rate limits leaves. */
const maxWaiting = 1000
const retryAfterSeconds = 60

/** While the database is unavailable a request waits. It is dropped when its link would have expired. */
const whileAway = { schedule: Schedule.max([Schedule.spaced("5 seconds"), Schedule.recurs(120)]) }

/**
 * Mails that anybody may request. An address gets as many of a kind as one client may request
 * (`rates_limit.ask_send_email`), however many clients ask. Requests are answered before any lookup and processed one
 * after the other: neither the answer nor its time tells whether an address is known. A request does not survive the
 * process; it can be made again.
 */
export class RequestedMails extends Context.Service<
  RequestedMails,
  {
    /** Fails if mail is not configured, or too many requests wait. */
    readonly ask: (mail: RequestedMail) => Effect.Effect<void, MailNotConfigured | RateLimited>
  }
>()("@kinora/node/verification/RequestedMails") {
  static readonly layer = Layer.effect(
    RequestedMails,
    Effect.gen(function* () {
      const { ask_send_email } = (yield* KinoraConfig).rates_limit
      const limit = { max: ask_send_email.max, windowMillis: Duration.toMillis(ask_send_email.window) }
      const store = yield* RateLimitStore
      const supervisor = yield* Supervisor
      const mailer = yield* Mailer
      const rows = yield* EmailRows
      const verification = yield* EmailVerification
      const passwords = yield* PasswordLinks
      const waiting = yield* Queue.dropping<RequestedMail>(maxWaiting)

      const verifyUser = Effect.fnUntraced(function* (address: string) {
        const user = yield* rows.userByEmail(address)
        if (Option.isSome(user)) yield* verification.sendForUser(user.value.id)
        for (const { id, pendingEmail, username } of yield* rows.waitingFor(address)) {
          // Never sent to the address as it was typed: the database treats some letters as equal that a mail server
          // does not.
          if (pendingEmail !== null) yield* verification.sendForChange(id, username, pendingEmail)
        }
      })

      const isFlooded = Effect.fnUntraced(function* ({ email, what }: RequestedMail) {
        // Normalised as the database compares addresses. Addresses that only the database would treat as equal are
        // refused when they are decoded (UserFields).
        const address = Buffer.from(hashToken(email.toLowerCase())).toString("base64url")
        const now = yield* Clock.currentTimeMillis
        return (yield* store.hit(`asked_mail:${what}:${address}`, limit, now)).used > limit.max
      })

      const send = Effect.fn("RequestedMails.send")(function* (mail: RequestedMail) {
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
                ? Effect.logInfo(`A mail (${mail.what}) was requested too often for one address. It is not sent again.`)
                : Effect.retry(send(mail), whileAway)
            ).pipe(
              Effect.catchTag("DatabaseUnavailable", (error: DatabaseUnavailable) =>
                Effect.logError(`A requested mail (${mail.what}) was not sent`, error)
              )
            )
          )
        )
      )

      return RequestedMails.of({
        ask: Effect.fn("RequestedMails.ask")(function* (mail: RequestedMail) {
          if (!mailer.enabled) return yield* new MailNotConfigured()
          if (!(yield* Queue.offer(waiting, mail))) return yield* new RateLimited({ retryAfterSeconds })
        })
      })
    })
  )
}
