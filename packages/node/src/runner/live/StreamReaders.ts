import type { FlvTag } from "@kinora/ingest/flv/FlvTag"
import { Clock, Effect, Stream } from "effect"

/** Counts who reads the stream of a run. */
export class StreamReaders {
  #count = 0
  #leftAt: number | undefined

  /** Whether anybody has ever read. */
  get wasRead(): boolean {
    return this.#count > 0 || this.#leftAt !== undefined
  }

  /** The stream, counted while it is read. */
  counted(stream: Stream.Stream<FlvTag>): Stream.Stream<FlvTag> {
    const left = Effect.map(Clock.currentTimeMillis, (now) => {
      this.#count -= 1
      this.#leftAt = now
    })
    const entered = Effect.acquireRelease(
      Effect.sync(() => void (this.#count += 1)),
      () => left
    )
    return Stream.unwrap(Effect.as(entered, stream))
  }

  /** Milliseconds since the last reader left; 0 while somebody reads. Unlimited when nobody ever has. */
  silentFor(now: number): number {
    return this.#count > 0 ? 0 : now - (this.#leftAt ?? 0)
  }
}
