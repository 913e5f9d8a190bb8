import { type Publisher, PublishRefused, type PublishEnd } from "@kinora/ingest/Publisher"
import type { FlvTag } from "@kinora/ingest/flv/FlvTag"
import { type Cause, Deferred, Effect, Queue } from "effect"

/** Tags that wait to be taken: little, so that a publisher who is faster than the encoder is slowed down at once. */
const waiting = 32

/** One connection of a publisher, as the session sees it. */
export interface Incoming {
  /** The tags, in order. `Done`: there are no more. */
  readonly tags: Queue.Dequeue<FlvTag, Cause.Done>
  /** How it ended; known once `tags` is done. */
  readonly how: Deferred.Deferred<PublishEnd>
  /** Ends the connection; the publisher reads why. */
  readonly stop: (reason: string) => Effect.Effect<void>
}

/** A connection in two halves: what the door writes to, and what the session reads. */
export const makeIncoming = Effect.gen(function* () {
  const tags = yield* Queue.bounded<FlvTag, Cause.Done>(waiting)
  const how = yield* Deferred.make<PublishEnd>()
  const stopped = yield* Deferred.make<string>()
  const publisher: Publisher = {
    write: (tag) =>
      Effect.suspend(() => {
        // A queue with room takes it at once: there is nothing to wait for.
        if (Queue.offerUnsafe(tags, tag)) return Effect.void
        return Effect.flatMap(Queue.offer(tags, tag), (taken) =>
          taken ? Effect.void : Effect.fail(new PublishRefused({ reason: "The live has ended" }))
        )
      }),
    ended: (end) => Effect.andThen(Deferred.succeed(how, end), Effect.asVoid(Queue.end(tags))),
    stopped: Deferred.await(stopped)
  }
  const incoming: Incoming = {
    tags,
    how,
    stop: (reason) => Effect.andThen(Deferred.succeed(stopped, reason), Effect.asVoid(Queue.end(tags)))
  }
  return { publisher, incoming }
})
