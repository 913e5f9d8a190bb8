import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { SealedPayloads } from "@kinora/storage/platform/jobs/SealedPayloads"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { jobAfterJob, passNotices } from "../jobs/JobAfterJob.ts"
import { heartbeats, jobLease } from "../jobs/JobLease.ts"
import { makeWakeup, type Wakeup } from "../jobs/Wakeup.ts"
import { countOutcomes } from "../observability/Outcomes.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { Mail } from "./Mail.ts"
import { MailJob, mailJobType } from "./Mailer.ts"
import { Templates } from "./Templates.ts"
import { MailNotSent, MailTransport } from "./Transport.ts"

const databaseWait = Duration.seconds(1)
/**
 * How often the result of a mail is reported while the database is unavailable: a mail that was sent must not be sent
 * again.
 */
const reports = 60

const countMail = countOutcomes("kinora_mails_total", "Attempts to send a mail, by what the mail server did with it", [
  "sent",
  "refused",
  "delayed"
])

const decodeJob = Schema.decodeUnknownEffect(MailJob)
const decodeMail = Schema.decodeUnknownEffect(Schema.fromJsonString(Mail))

const unreadable = () =>
  new MailNotSent({
    message: "the mail cannot be read: it was sealed with another secret, or is too old",
    permanent: true
  })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const board = yield* JobBoard
  const payloads = yield* SealedPayloads
  const secrets = yield* SecretBox
  const templates = yield* Templates
  const transport = yield* MailTransport
  const wakeups = new Set<Wakeup>()
  /** Logged once, not for each mail: an unreachable server affects all of them. */
  let troubled = false

  const send = Effect.fn("MailWorker.send")(function* (job: ClaimedJob) {
    const letter = yield* decodeJob(job.payload).pipe(
      Effect.flatMap(({ sealed }) => secrets.open(sealed, "mail")),
      Effect.flatMap(decodeMail),
      Effect.map(templates.write),
      Effect.mapError(unreadable)
    )
    yield* transport.send({ ...letter, id: job.uuid })
  })

  /** Reports the end of an attempt. A mail that is not tried again loses its secret content. */
  const report = <A>(job: ClaimedJob, end: Effect.Effect<A, LeaseLost | DatabaseUnavailable>) =>
    Effect.tap(end, () => payloads.forget(job.id)).pipe(
      sql.withTransaction,
      withDatabaseErrors,
      Effect.retry({
        while: (error) => error._tag === "DatabaseUnavailable",
        schedule: Schedule.spaced(databaseWait),
        times: reports
      })
    )

  const sent = Effect.fnUntraced(function* (job: ClaimedJob) {
    yield* report(job, board.complete(job.lease))
    yield* countMail("sent")
    if (troubled) yield* Effect.logInfo("Mail is being sent again")
    troubled = false
  })

  const notSent = Effect.fnUntraced(function* (job: ClaimedJob, error: MailNotSent) {
    yield* countMail(error.permanent ? "refused" : "delayed")
    const became = yield* report(job, board.fail(job.lease, error.message, { final: error.permanent }))
    if (became === "failed") {
      return yield* Effect.logWarning(`Mail ${job.id} could not be sent and is dropped: ${error.message}`)
    }
    yield* troubled
      ? Effect.logDebug(`Mail ${job.id} was not sent: ${error.message}`)
      : Effect.logWarning(`Mail cannot be sent. Retrying with growing delays: ${error.message}`)
    troubled = true
  })

  const settle = (job: ClaimedJob, exit: Exit.Exit<void, MailNotSent>) => {
    if (Exit.isSuccess(exit)) return sent(job)
    if (Cause.hasInterruptsOnly(exit.cause)) return board.release(job.lease)
    return Option.match(Cause.findErrorOption(exit.cause), {
      onSome: (error) => notSent(job, error),
      onNone: () =>
        Effect.andThen(
          Effect.logError(`Mail ${job.id} failed unexpectedly`, exit.cause),
          notSent(job, new MailNotSent({ message: "an internal error: see the log", permanent: false }))
        )
    })
  }

  /** A mail that is on its way is not called back when the lease is lost. */
  const keeping = (job: ClaimedJob) => Effect.catchTag(heartbeats(board, job), "LeaseLost", () => Effect.never)

  /**
   * If interrupted before the server accepts the mail, it goes back to the board. After that, it is reported as sent.
   */
  const work = Effect.fn("MailWorker.work")((job: ClaimedJob) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.exit(restore(Effect.raceFirst(send(job), keeping(job)))), (exit) =>
        Effect.andThen(
          settle(job, exit).pipe(
            Effect.catchTag("LeaseLost", () => Effect.logWarning(`Mail ${job.id} was taken over by another node`))
          ),
          Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? Effect.interrupt : Effect.void
        )
      )
    )
  )

  const worker = (owner: string): Effect.Effect<never> =>
    Effect.gen(function* () {
      const wakeup = yield* makeWakeup
      wakeups.add(wakeup)
      return yield* jobAfterJob({
        board,
        claim: board.claim([mailJobType], owner, jobLease),
        handle: work,
        wakeup
      }).pipe(Effect.ensuring(Effect.sync(() => wakeups.delete(wakeup))))
    })

  const wakeAll = Effect.suspend(() => Effect.forEach(wakeups, ({ notify }) => notify, { discard: true }))

  return MailWorker.of({
    worker,
    listen: passNotices(board, wakeAll, [mailJobType]),
    forgetEnded: payloads.forgetEnded(mailJobType)
  })
})

/**
 * Sends the mails on the job board. A mail is sent at least once: if the node dies after the server accepted it but
 * before the database recorded it, it is sent again with the same Message-ID.
 */
export class MailWorker extends Context.Service<
  MailWorker,
  {
    /** Sends one mail after another, forever. `owner` is the worker's name on the board. */
    readonly worker: (owner: string) => Effect.Effect<never>
    /** Wakes the workers when a mail is queued. */
    readonly listen: Effect.Effect<never>
    /** Removes the content of mails whose worker died in their last attempt. Returns how many. */
    readonly forgetEnded: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/mail/MailWorker") {
  static readonly layer = Layer.effect(MailWorker, make)
}
