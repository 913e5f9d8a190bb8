import type { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { makeWaiting } from "./Waiting.ts"

/** Where the bytes of a part are: in memory until its segment is complete, then in the file of that. */
export type PartPlace =
  | { readonly bytes: Uint8Array }
  | { readonly key: ObjectKey; readonly start: number; readonly length: number }

/** The parts of one live. */
export interface LivePartsOf {
  readonly places: ReadonlyMap<string, PartPlace>
  /** Names of parts that come next. */
  readonly hints: ReadonlySet<string>
}

/** A part that is announced comes within this time, or not at all. */
const announced = Duration.seconds(12)

/** Parts of the segments of lives that this node publishes, by the video's UUID and their name. */
export class LiveParts extends Context.Service<
  LiveParts,
  {
    /** A part. One that is announced as the next is waited for. Undefined: there is none, or it did not come. */
    readonly read: (uuid: string, name: string) => Effect.Effect<PartPlace | undefined, ServiceUnavailable>
    /** Says what parts a live has now. */
    readonly show: (uuid: string, parts: LivePartsOf) => void
    /** Forgets these parts, unless others are shown by now. */
    readonly remove: (uuid: string, parts: LivePartsOf) => void
  }
>()("@kinora/node/video/file/LiveParts") {
  static readonly layer = Layer.sync(LiveParts, () => {
    const lives = new Map<string, LivePartsOf>()
    const waiting = makeWaiting()

    const read = Effect.fnUntraced(function* (uuid: string, name: string) {
      const parts = lives.get(uuid)
      const found = parts?.places.get(name)
      if (found !== undefined || parts?.hints.has(name) !== true) return found
      const there = waiting.until(uuid, () => {
        const now = lives.get(uuid)
        const place = now?.places.get(name)
        return place !== undefined || now?.hints.has(name) !== true ? { place } : undefined
      })
      const reached = yield* Effect.timeoutOption(there, announced)
      return Option.isNone(reached) ? undefined : reached.value.place
    })

    return LiveParts.of({
      read,
      show: (uuid, parts) => {
        lives.set(uuid, parts)
        waiting.changed(uuid)
      },
      remove: (uuid, parts) => {
        if (lives.get(uuid) !== parts) return
        lives.delete(uuid)
        waiting.changed(uuid)
      }
    })
  })
}
