import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { FollowRows } from "@kinora/storage/federation/follow/FollowRows"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { type JobAttempt, type JobWorker, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { makeWakeup } from "../../platform/jobs/Wakeup.ts"
import type { RemoteFailure } from "../remote/RemoteErrors.ts"
import { Backfill } from "./Backfill.ts"
import { BackfillPayload, backfillJobType, followJobType, FollowPayload } from "./FollowJobs.ts"
import { RemoteHandles } from "../remote/RemoteHandles.ts"

const decodeFollow = Schema.decodeUnknownOption(FollowPayload)
const decodeBackfill = Schema.decodeUnknownOption(BackfillPayload)

type Failure = Exclude<RemoteFailure, DatabaseUnavailable>

const make = Effect.gen(function* () {
  const board = yield* JobBoard
  const sql = yield* SqlClient
  const rows = yield* FollowRows
  const handles = yield* RemoteHandles
  const backfill = yield* Backfill

  const onFollow = Effect.fnUntraced(function* (
    job: ClaimedJob,
    { host, name, userId }: FollowPayload
  ): Effect.fn.Return<void, RemoteFailure | LeaseLost> {
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
  ): Effect.fn.Return<void, RemoteFailure | LeaseLost> {
    yield* board.complete(job.lease, yield* backfill.page(payload, job.attempt < job.maxAttempts))
  })

  const workOf = (job: ClaimedJob) =>
    job.type === followJobType
      ? Option.map(decodeFollow(job.payload), (payload) => onFollow(job, payload))
      : Option.map(decodeBackfill(job.payload), (payload) => onBackfill(job, payload))

  const begin = (job: ClaimedJob) =>
    Effect.succeed(
      Option.match(workOf(job), {
        onNone: () => "unreadable" as const,
        onSome: (work) =>
          Option.some<JobAttempt<Failure>>({
            work: () => work,
            fail: (error) => {
              const message = error?.message ?? "It died"
              return Effect.andThen(
                Effect.logInfo(`Job ${job.id} (${job.type}): ${message}`),
                board.fail(job.lease, message, { final: error?._tag === "ObjectRefused" })
              )
            }
          })
      })
    )

  return FollowWorker.of(
    yield* makeJobWorker({
      types: [followJobType, backfillJobType],
      owner: `${yield* nodeName} follows`,
      wakeup: yield* makeWakeup,
      shared: true,
      begin
    })
  )
})

/** Looks up whom somebody here wants to follow and asks them, and reads what they published before. */
export class FollowWorker extends Context.Service<FollowWorker, JobWorker>()("@kinora/node/follows/FollowWorker") {
  static readonly layer = Layer.effect(FollowWorker, make)
}
