import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { SealedPayloads } from "@kinora/storage/platform/jobs/SealedPayloads"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Queue, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { jobAfterJob, ringing } from "../jobs/JobAfterJob.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { Mail } from "./Mail.ts"
import { MailJob, mailJobType } from "./Mailer.ts"
import { Templates } from "./Templates.ts"
import { MailNotSent, MailTransport } from "./Transport.ts"

/** Longer than a mail may take with all that is around it, so that no heartbeat is needed. */
const lease = Duration.minutes(5)
const databaseWait = Duration.seconds(1)
/** How often the end of a mail is reported while the database is away: a mail that went out must not go out again. */
const reports = 60

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
  const bells = new Set<Queue.Queue<void>>()
  /** Told once and not for each mail: a server that is away concerns all of them. */
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

  /** The end of an attempt, and with it of the secrets of a mail that is not tried again. */
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
    if (troubled) yield* Effect.logInfo("Mail goes out again")
    troubled = false
  })

  const notSent = Effect.fnUntraced(function* (job: ClaimedJob, error: MailNotSent) {
    const became = yield* report(job, board.fail(job.lease, error.message, { final: error.permanent }))
    if (became === "failed") {
      return yield* Effect.logWarning(`Mail ${job.id} did not go out and is given up: ${error.message}`)
    }
    yield* troubled
      ? Effect.logDebug(`Mail ${job.id} did not go out: ${error.message}`)
      : Effect.logWarning(`Mail does not go out, and is tried again with growing waits: ${error.message}`)
    troubled = true
  })

  const settle = (job: ClaimedJob, exit: Exit.Exit<void, MailNotSent>) => {
    if (Exit.isSuccess(exit)) return sent(job)
    if (Cause.hasInterruptsOnly(exit.cause)) return board.release(job.lease)
    return Option.match(Cause.findErrorOption(exit.cause), {
      onSome: (error) => notSent(job, error),
      onNone: () =>
        Effect.andThen(
          Effect.logError(`Mail ${job.id} died`, exit.cause),
          notSent(job, new MailNotSent({ message: "an error of ours; the log has it", permanent: false }))
        )
    })
  }

  /** Interrupted before the server has said yes, the mail goes back to the board; after that, it is reported as sent. */
  const work = Effect.fn("MailWorker.work")((job: ClaimedJob) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.exit(restore(send(job))), (exit) =>
        Effect.andThen(
          settle(job, exit).pipe(
            Effect.catchTag("LeaseLost", () => Effect.logWarning(`Mail ${job.id} is somebody else's now`))
          ),
          Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? Effect.interrupt : Effect.void
        )
      )
    )
  )

  const worker = (owner: string): Effect.Effect<never> =>
    Effect.gen(function* () {
      const bell = yield* Queue.sliding<void>(1)
      bells.add(bell)
      return yield* jobAfterJob({
        board,
        claim: board.claim([mailJobType], owner, lease),
        handle: work,
        rung: Queue.take(bell)
      }).pipe(Effect.ensuring(Effect.sync(() => bells.delete(bell))))
    })

  const ring = Effect.suspend(() => Effect.forEach(bells, (bell) => Queue.offer(bell, undefined), { discard: true }))

  return MailWorker.of({
    worker,
    listen: ringing(board, ring, [mailJobType]),
    forgetEnded: payloads.forgetEnded(mailJobType)
  })
})

/**
 * Sends the mails of the job board. A mail is sent at least once: when the node dies between the server's yes and the
 * database's, it goes out again with the same Message-ID.
 */
export class MailWorker extends Context.Service<
  MailWorker,
  {
    /** Sends one mail after another, for ever. `owner` names the worker to the board. */
    readonly worker: (owner: string) => Effect.Effect<never>
    /** Wakes the workers when a mail was queued. */
    readonly listen: Effect.Effect<never>
    /** Takes the contents of mails whose worker died with their last attempt; answers how many. */
    readonly forgetEnded: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/mail/MailWorker") {
  static readonly layer = Layer.effect(MailWorker, make)
}
