import { MailNotConfigured } from "@kinora/domain/errors/AuthErrors"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { SealedPayloads } from "@kinora/storage/platform/jobs/SealedPayloads"
import { EmailRows } from "@kinora/storage/people/verification/EmailRows"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { type JobAttempt, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { makeWakeup } from "../../platform/jobs/Wakeup.ts"
import { Mailer, requestedMailType } from "../../platform/mail/Mailer.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { every } from "../../platform/supervision/Every.ts"
import { hashToken } from "../session/TokenHash.ts"
import { EmailVerification } from "./EmailVerification.ts"
import { PasswordLinks } from "./PasswordLinks.ts"

/** A mail that somebody requested. */
export interface RequestedMail {
  readonly what: "verify-user" | "verify-registration" | "reset-password"
  readonly email: string
}

/** Payload of the job. `sealed` is the address, which may be anybody's; it is removed when the job has ended. */
const Payload = Schema.Struct({
  kind: Schema.Literals(["verify-user", "verify-registration", "reset-password"]),
  sealed: Schema.String
})
const decodePayload = Schema.decodeUnknownOption(Payload)

/** Requests that may wait: more than a flood within the clients' rate limits leaves. */
const maxWaiting = 1000
const retryAfterSeconds = 60

/**
 * Mails that anybody may request. An address gets as many of a kind as one client may request
 * (`rates_limit.ask_send_email`), however many clients ask. Requests are recorded and answered before any lookup and
 * processed one after the other: neither the answer nor its time tells whether an address is known.
 */
export class RequestedMails extends Context.Service<
  RequestedMails,
  {
    /** Fails if mail is not configured, or too many requests wait. */
    readonly ask: (mail: RequestedMail) => Effect.Effect<void, MailNotConfigured | RateLimited | DatabaseUnavailable>
  }
>()("@kinora/node/verification/RequestedMails") {
  static readonly layer = Layer.effect(
    RequestedMails,
    Effect.gen(function* () {
      const { ask_send_email } = (yield* KinoraConfig).rates_limit
      const limit = { max: ask_send_email.max, windowMillis: Duration.toMillis(ask_send_email.window), exact: true }
      const sql = yield* SqlClient
      const store = yield* RateLimitStore
      const mailer = yield* Mailer
      const board = yield* JobBoard
      const payloads = yield* SealedPayloads
      const secrets = yield* SecretBox
      const rows = yield* EmailRows
      const verification = yield* EmailVerification
      const passwords = yield* PasswordLinks

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

      /** The mail is queued in the transaction that ends its request: it goes once. */
      const answerRequest = (job: ClaimedJob, mail: RequestedMail) =>
        Effect.andThen(send(mail), Effect.andThen(board.complete(job.lease), payloads.forget(job.id))).pipe(
          sql.withTransaction,
          withDatabaseErrors
        )

      const drop = (job: ClaimedJob, reason: string) =>
        Effect.andThen(board.fail(job.lease, reason, { final: true }), payloads.forget(job.id))

      const begin = Effect.fnUntraced(function* (job: ClaimedJob) {
        const payload = decodePayload(job.payload)
        if (Option.isNone(payload)) return "unreadable"
        const email = yield* Effect.option(secrets.open(payload.value.sealed, "mail"))
        if (Option.isNone(email)) return "unreadable"
        const mail = { what: payload.value.kind, email: email.value }
        return Option.some<JobAttempt<never>>({
          work: () => answerRequest(job, mail),
          fail: () => drop(job, "An internal error: see the log")
        })
      })

      const wakeup = yield* makeWakeup
      const worker = yield* makeJobWorker({
        types: [requestedMailType],
        owner: `${yield* nodeName} requested mail`,
        wakeup,
        begin
      })
      if (mailer.enabled) {
        yield* Effect.ignore(worker.takeBack, {
          log: "Warn",
          message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
        })
        yield* runAs("worker", "requested mail notices", worker.listen)
        yield* runAs("worker", "requested mails", worker.run)
        yield* runOnce("ended mail requests", every(Duration.hours(1), payloads.forgetEnded(requestedMailType)))
      }

      const record = Effect.fnUntraced(function* ({ email, what }: RequestedMail) {
        if ((yield* board.waiting(requestedMailType, maxWaiting)) >= maxWaiting) {
          return yield* new RateLimited({ retryAfterSeconds })
        }
        const payload: typeof Payload.Type = { kind: what, sealed: secrets.seal(email, "mail") }
        yield* board.enqueue({ type: requestedMailType, payload, priority: 20 })
      })

      return RequestedMails.of({
        ask: Effect.fn("RequestedMails.ask")(function* (mail: RequestedMail) {
          if (!mailer.enabled) return yield* new MailNotConfigured()
          if (!(yield* isFlooded(mail))) return yield* record(mail)
          yield* Effect.logInfo(`A mail (${mail.what}) was requested too often for one address. It is not sent again.`)
        })
      })
    })
  ).pipe(Layer.provide(SealedPayloads.layer))
}
