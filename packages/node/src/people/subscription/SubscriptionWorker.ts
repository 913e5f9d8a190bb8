import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { SubscriptionWork } from "@kinora/storage/people/list/SubscriptionWork"
import {
  type ListSubscription,
  subscriptionJobType,
  type SubscriptionKind
} from "@kinora/storage/people/list/SubscriptionJobs"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Context, Duration, Effect, Layer, Option, Random, Result, Schema } from "effect"
import { type JobAttempt, type JobWorker, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { makeWakeup } from "../../platform/jobs/Wakeup.ts"
import { BlockFetch } from "../block/BlockFetch.ts"
import type { ListUnusable } from "../list/PublishedLists.ts"
import { WordFetch } from "../words/WordFetch.ts"

/** Time between two fetches of a list. */
const fetchEvery = Duration.hours(1)
/** After the first fetch that failed; it doubles with each further one. */
const firstRetry = Duration.minutes(5)
const longestRetry = Duration.hours(24)

const Payload = Schema.Struct({ kind: Schema.Literals(["blocks", "words"]), id: Schema.Int })
const decodePayload = Schema.decodeUnknownOption(Payload)

/** Milliseconds until the next fetch, after so many that failed in a row. `spread` is about 1. */
const nextMillis = (failures: number, spread: number): number => {
  const wait =
    failures === 0
      ? fetchEvery
      : Duration.min(Duration.times(firstRetry, 2 ** Math.min(failures - 1, 20)), longestRetry)
  return Math.floor(Duration.toMillis(wait) * spread)
}

const make = Effect.gen(function* () {
  const board = yield* JobBoard
  const work = yield* SubscriptionWork
  const fetches: Readonly<Record<SubscriptionKind, BlockFetch["Service"] | WordFetch["Service"]>> = {
    blocks: yield* BlockFetch,
    words: yield* WordFetch
  }

  const fetch = Effect.fnUntraced(function* (
    job: ClaimedJob,
    subscription: ListSubscription
  ): Effect.fn.Return<void, LeaseLost | DatabaseUnavailable> {
    const source = yield* work.begin(subscription)
    if (source === undefined) return yield* board.complete(job.lease)
    const fetched: Result.Result<string | undefined, ListUnusable | DatabaseUnavailable> = yield* Effect.result(
      fetches[subscription.kind].run(subscription, source)
    )
    if (Result.isFailure(fetched) && fetched.failure._tag === "DatabaseUnavailable") return yield* fetched.failure
    const etag = Result.isSuccess(fetched) ? fetched.success : undefined
    const error = Result.isFailure(fetched) ? fetched.failure.message : undefined
    // Plus or minus a tenth, so that those who subscribed at once do not ask at once for ever.
    const spread = yield* Random.nextBetween(0.9, 1.1)
    yield* work.finish(job.lease, subscription, { error, etag, nextMillis: (failures) => nextMillis(failures, spread) })
  })

  const begin = (job: ClaimedJob) =>
    Effect.succeed(
      Option.match(decodePayload(job.payload), {
        onNone: () => "unreadable" as const,
        onSome: (subscription) =>
          Option.some<JobAttempt<never>>({
            work: () => fetch(job, subscription),
            fail: () => board.fail(job.lease, "It died")
          })
      })
    )

  const worker = yield* makeJobWorker({
    types: [subscriptionJobType],
    owner: `${yield* nodeName} subscriptions`,
    wakeup: yield* makeWakeup,
    begin
  })
  return SubscriptionWorker.of({ ...worker, ensureJobs: work.ensureJobs(Duration.toMillis(fetchEvery)) })
})

/** Fetches the lists of others that somebody here subscribed to, again and again. */
export class SubscriptionWorker extends Context.Service<
  SubscriptionWorker,
  JobWorker & {
    /** Plans fetches of subscriptions that have none. */
    readonly ensureJobs: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/people/subscription/SubscriptionWorker") {
  static readonly layer = Layer.effect(SubscriptionWorker, make)
}
