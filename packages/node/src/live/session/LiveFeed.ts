import type { FlvTag } from "@kinora/ingest/flv/FlvTag"
import { flvFileHeader, flvTagBytes } from "@kinora/ingest/flv/FlvWriter"
import { LiveError } from "@kinora/domain/enums/Live"
import { Duration, Effect, Queue } from "effect"
import { Beginning } from "./Beginning.ts"
import type { Incoming } from "./Incoming.ts"
import type { LiveEnd } from "./LiveEnd.ts"

/** A publisher who sends no keyframe for longer cannot be cut into segments. Milliseconds. */
const longestWithoutKeyframe = 30_000

const noKeyframe: LiveEnd = {
  error: LiveError.invalidInput,
  reason: "No keyframe arrived for 30 seconds: set the keyframe interval of the encoder to 2 seconds"
}

const changed: LiveEnd = {
  error: LiveError.invalidInput,
  reason: "The codec or its settings changed while the stream was running"
}

/**
 * Takes tags until they show what the publisher sends. Undefined: the connection ended before. Fails when no keyframe arrives.
 */
export const readBeginning = (incoming: Incoming): Effect.Effect<Beginning | undefined, LiveEnd> => {
  const beginning = new Beginning()
  const take: Effect.Effect<Beginning | undefined> = Queue.take(incoming.tags).pipe(
    Effect.map((tag) => (beginning.add(tag) ? beginning : undefined)),
    Effect.flatMap((known) => (known === undefined ? take : Effect.succeed(known))),
    Effect.catchTag("Done", () => Effect.undefined)
  )
  return Effect.timeoutOrElse(take, {
    duration: Duration.millis(longestWithoutKeyframe),
    orElse: () => Effect.fail(noKeyframe)
  })
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** Looks at each tag on its way to the encoder. */
class Inspection {
  #keyframe: number | undefined
  readonly #headers = new Map<string, Uint8Array>()

  /** Why the stream cannot go on with this tag; undefined: it can. */
  look(tag: FlvTag): LiveEnd | undefined {
    if (tag.kind === "script") return undefined
    if (tag.sequenceHeader) {
      const known = this.#headers.get(tag.kind)
      if (known !== undefined) return sameBytes(known, tag.payload) ? undefined : changed
      this.#headers.set(tag.kind, tag.payload)
      return undefined
    }
    if (tag.kind === "audio") return undefined
    if (tag.keyframe || this.#keyframe === undefined) this.#keyframe = tag.timestamp
    return tag.timestamp - this.#keyframe > longestWithoutKeyframe ? noKeyframe : undefined
  }
}

/** The beginning as a file, to be looked at. */
export const beginningFile = (beginning: Beginning): Uint8Array =>
  Buffer.concat([
    flvFileHeader({ audio: beginning.hasSound, video: beginning.hasPicture }),
    ...beginning.tags.map(flvTagBytes)
  ])

/**
 * Passes the stream on, from its beginning to the end of the connection. Fails when it cannot go on.
 */
export const feed = Effect.fnUntraced(function* (
  incoming: Incoming,
  beginning: Beginning,
  write: (tag: FlvTag) => Effect.Effect<void>
): Effect.fn.Return<void, LiveEnd> {
  const inspection = new Inspection()
  for (const tag of beginning.tags) inspection.look(tag)
  yield* Effect.forEach(beginning.tags, write, { discard: true })
  const next: Effect.Effect<ReadonlyArray<FlvTag>> = Effect.catchTag(Queue.takeAll(incoming.tags), "Done", () =>
    Effect.succeed([])
  )
  for (let tags = yield* next; tags.length > 0; tags = yield* next) {
    for (const tag of tags) {
      const end = inspection.look(tag)
      if (end !== undefined) return yield* Effect.fail(end)
      yield* write(tag)
    }
  }
})
