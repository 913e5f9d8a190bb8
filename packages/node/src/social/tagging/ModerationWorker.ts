import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { retagJobType, type Retagging } from "@kinora/storage/people/tags/RuleChanges"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { RetagWork } from "@kinora/storage/social/tagging/RetagWork"
import { Context, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { type JobAttempt, type JobWorker, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { makeWakeup } from "../../platform/jobs/Wakeup.ts"
import { CommentRemovals, removalJobType, RemovalPayload } from "../comment/CommentRemovals.ts"

const decodeRemoval = Schema.decodeUnknownOption(RemovalPayload)
const decodeRetagging = Schema.decodeUnknownOption(Schema.Struct({ accountId: Schema.Int, version: Schema.String }))

type Failure = LeaseLost | DatabaseUnavailable

/** How often is looked whether what began before has ended, and how long at most: a backup may take hours. */
const settleEvery = Duration.millis(200)
const settleWithin = Duration.minutes(1)

const make = Effect.gen(function* () {
  const board = yield* JobBoard
  const removals = yield* CommentRemovals
  const retags = yield* RetagWork

  const onRemoval = Effect.fnUntraced(function* (job: ClaimedJob, payload: RemovalPayload) {
    while (yield* removals.more(payload));
    yield* board.complete(job.lease)
  })

  /** Whoever writes a comment reads the words first: what was begun before their change is matched again when it is there. */
  const settled = Effect.gen(function* () {
    const moment = yield* retags.moment
    yield* retags
      .isSettled(moment)
      .pipe(
        Effect.repeat({ until: (it) => it, schedule: Schedule.spaced(settleEvery) }),
        Effect.timeoutOption(settleWithin)
      )
  })

  const onRetagging = Effect.fnUntraced(function* (job: ClaimedJob, retagging: Retagging) {
    yield* settled
    let position = yield* retags.comments(retagging, { videoId: 0, commentId: 0 })
    while (position !== undefined && position !== "outdated") position = yield* retags.comments(retagging, position)
    let last = position === "outdated" ? undefined : yield* retags.videos(retagging, 0)
    while (last !== undefined) last = yield* retags.videos(retagging, last)
    yield* board.complete(job.lease)
  })

  const workOf = (job: ClaimedJob): Option.Option<Effect.Effect<void, Failure>> =>
    job.type === removalJobType
      ? Option.map(decodeRemoval(job.payload), (payload) => onRemoval(job, payload))
      : Option.map(decodeRetagging(job.payload), (payload) => onRetagging(job, payload))

  const begin = (job: ClaimedJob) =>
    Effect.succeed(
      Option.match(workOf(job), {
        onNone: () => "unreadable" as const,
        onSome: (work) =>
          Option.some<JobAttempt<never>>({ work: () => work, fail: () => board.fail(job.lease, "It died") })
      })
    )

  return ModerationWorker.of(
    yield* makeJobWorker({
      types: [retagJobType, removalJobType],
      owner: `${yield* nodeName} moderation`,
      wakeup: yield* makeWakeup,
      begin
    })
  )
})

/** Deletes the comments of accounts that are many, and tags again what was written before words were watched for. */
export class ModerationWorker extends Context.Service<ModerationWorker, JobWorker>()(
  "@kinora/node/social/tagging/ModerationWorker"
) {
  static readonly layer = Layer.effect(ModerationWorker, make)
}
