import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { FollowRows } from "@kinora/storage/federation/follow/FollowRows"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Queue, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { jobAfterJob, ringing, seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import type { RemoteFailure } from "../remote/RemoteErrors.ts"
import { Backfill } from "./Backfill.ts"
import { BackfillPayload, backfillJobType, followJobType, FollowPayload } from "./FollowJobs.ts"
import { RemoteHandles } from "../remote/RemoteHandles.ts"

const lease = Duration.minutes(1)
const heartbeatEvery = Duration.seconds(15)
const types = [followJobType, backfillJobType]

const decodeFollow = Schema.decodeUnknownOption(FollowPayload)
const decodeBackfill = Schema.decodeUnknownOption(BackfillPayload)

type Ended = Effect.Effect<void, LeaseLost | DatabaseUnavailable>
type Failure = RemoteFailure | LeaseLost

const make = Effect.gen(function* () {
  const board = yield* JobBoard
  const upkeep = yield* JobUpkeep
  const sql = yield* SqlClient
  const rows = yield* FollowRows
  const handles = yield* RemoteHandles
  const backfill = yield* Backfill
  // A name of its own: others take back at their start what their former selves held.
  const owner = `${yield* nodeName} follows`
  const bell = yield* Queue.sliding<void>(1)
  const ring = Effect.asVoid(Queue.offer(bell, undefined))

  const onFollow = Effect.fnUntraced(function* (
    job: ClaimedJob,
    { host, name, userId }: FollowPayload
  ): Effect.fn.Return<void, Failure> {
    const actor = yield* name === null ? handles.ofHost(host) : handles.byHandle(name, host)
    if (userId !== null && actor.channelId === null) {
      return yield* Effect.asVoid(board.fail(job.lease, "It is no channel", { final: true }))
    }
    const asked =
      userId === null ? rows.askForInstance(actor.id, { automatic: false }) : rows.askForUser(userId, actor.id)
    // Whoever changed their mind meanwhile has removed the job: then nothing is asked.
    yield* Effect.flatMap(asked, (state) => board.complete(job.lease, { actor: actor.url, state })).pipe(
      sql.withTransaction,
      withDatabaseErrors
    )
  })

  const onBackfill = Effect.fnUntraced(function* (
    job: ClaimedJob,
    payload: BackfillPayload
  ): Effect.fn.Return<void, Failure> {
    yield* board.complete(job.lease, yield* backfill.page(payload, job.attempt < job.maxAttempts))
  })

  const run = (job: ClaimedJob): Effect.Effect<void, Failure> => {
    const follow = job.type === followJobType ? decodeFollow(job.payload) : Option.none()
    if (Option.isSome(follow)) return onFollow(job, follow.value)
    const page = job.type === backfillJobType ? decodeBackfill(job.payload) : Option.none()
    if (Option.isSome(page)) return onBackfill(job, page.value)
    return Effect.asVoid(board.fail(job.lease, "It does not say what to do", { final: true }))
  }

  const heartbeat = (job: ClaimedJob) =>
    throughOutages(Effect.forever(Effect.delay(board.heartbeat(job.lease, lease), heartbeatEvery)))

  const settle =
    (job: ClaimedJob) =>
    (exit: Exit.Exit<void, Failure>): Ended => {
      if (Exit.isSuccess(exit)) return Effect.void
      if (Cause.hasInterruptsOnly(exit.cause)) return board.release(job.lease)
      const error = Cause.findErrorOption(exit.cause)
      if (Option.isSome(error) && error.value._tag === "LeaseLost") return Effect.void
      const message = Option.isSome(error) ? error.value.message : "It died"
      const final = Option.isSome(error) && error.value._tag === "ObjectRefused"
      return Effect.andThen(
        Option.isSome(error) ? Effect.logInfo(`Job ${job.id} (${job.type}): ${message}`) : Effect.logError(exit.cause),
        Effect.asVoid(board.fail(job.lease, message, { final }))
      )
    }

  const handle = Effect.fn("FollowWorker.handle")(function* (job: ClaimedJob) {
    yield* seenThrough(Effect.raceFirst(run(job), heartbeat(job)), (exit) =>
      // It is somebody else's.
      Effect.catchTag(settle(job)(exit), "LeaseLost", () => Effect.void)
    )
  })

  return FollowWorker.of({
    run: jobAfterJob({ board, claim: board.claim(types, owner, lease), handle, rung: Queue.take(bell), ring }),
    listen: ringing(board, ring, types),
    takeBack: upkeep.expireLeases(owner)
  })
})

/** Looks up whom somebody here wants to follow and asks them, and reads what they published before. */
export class FollowWorker extends Context.Service<
  FollowWorker,
  {
    /** One job after another, for ever. An interrupted one is handed back unharmed. */
    readonly run: Effect.Effect<never>
    /** Wakes workers when there is something to do. */
    readonly listen: Effect.Effect<never>
    /** At start: takes back what this node held when it died. */
    readonly takeBack: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/follows/FollowWorker") {
  static readonly layer = Layer.effect(FollowWorker, make)
}
