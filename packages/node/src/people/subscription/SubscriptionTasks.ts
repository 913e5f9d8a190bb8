import { SubscribedBlocks } from "@kinora/storage/people/block/SubscribedBlocks"
import { SubscriptionWork } from "@kinora/storage/people/list/SubscriptionWork"
import { SubscribedWords } from "@kinora/storage/people/words/SubscribedWords"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { every } from "../../platform/supervision/Every.ts"
import { BlockFetch } from "../block/BlockFetch.ts"
import { PublishedLists } from "../list/PublishedLists.ts"
import { WordFetch } from "../words/WordFetch.ts"
import { SubscriptionWorker } from "./SubscriptionWorker.ts"

/** The worker that fetches lists of others: needs `SqlClient`, `KinoraConfig`, the job board and `GuardedFetch`. */
export const subscriptionWorker = SubscriptionWorker.layer.pipe(
  Layer.provide(Layer.merge(BlockFetch.layer, WordFetch.layer)),
  Layer.provide(
    Layer.mergeAll(PublishedLists.layer, SubscribedBlocks.layer, SubscribedWords.layer, SubscriptionWork.layer)
  )
)

/** Runs it under the supervisor. */
export const subscriptionTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const worker = yield* SubscriptionWorker
    yield* Effect.ignore(worker.takeBack, { log: "Warn" })
    yield* runAs("worker", "notices of list subscriptions", worker.listen)
    yield* runAs("worker", "list subscriptions", worker.run)
    yield* runOnce("list subscriptions without a fetch", every(Duration.minutes(5), worker.ensureJobs))
  })
).pipe(Layer.provide(subscriptionWorker))
