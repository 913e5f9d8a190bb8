import { assert, describe, it } from "@effect/vitest"
import type { FlvTag } from "@kinora/ingest/flv/FlvTag"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { StreamRelay } from "../../../src/live/session/StreamRelay.ts"

const video = (timestamp: number, options: { keyframe?: boolean; header?: boolean; size?: number } = {}): FlvTag => ({
  kind: "video",
  timestamp,
  codec: "avc",
  keyframe: options.keyframe ?? false,
  sequenceHeader: options.header ?? false,
  enhanced: false,
  payload: new Uint8Array(options.size ?? 10)
})
const audio = (timestamp: number): FlvTag => ({
  kind: "audio",
  timestamp,
  codec: "aac",
  keyframe: true,
  sequenceHeader: false,
  enhanced: false,
  payload: new Uint8Array(5)
})
const script: FlvTag = { kind: "script", timestamp: 0, payload: new Uint8Array(3) }

const named = (tag: FlvTag): string => {
  if (tag.kind === "script") return `script ${tag.timestamp}`
  const what = tag.sequenceHeader ? "header" : tag.kind === "video" && tag.keyframe ? "key" : tag.kind
  return `${what} ${tag.timestamp}`
}

const addAll = (relay: StreamRelay, tags: ReadonlyArray<FlvTag>) =>
  Effect.forEach(tags, (tag) => relay.add(tag), { discard: true })

const read = (stream: Stream.Stream<FlvTag>) =>
  Effect.map(Stream.runCollect(stream), (tags) => [...tags].map((tag) => named(tag)))

/** Begins to read, and is reading when it returns. */
const player = Effect.fnUntraced(function* (relay: StreamRelay) {
  const fiber = yield* Effect.forkChild(read(relay.play))
  yield* Effect.yieldNow
  yield* Effect.yieldNow
  return fiber
})

const begun = [script, video(0, { header: true }), video(0, { keyframe: true }), audio(10), video(40)]

describe("StreamRelay", () => {
  it.effect("lets players begin with headers and the last keyframe", () =>
    Effect.gen(function* () {
      const relay = new StreamRelay()
      yield* addAll(relay, [...begun, video(80, { keyframe: true }), audio(90), video(120)])
      const one = yield* player(relay)
      yield* relay.add(video(160))
      yield* relay.end
      const expected = ["script 80", "header 80", "key 80", "audio 90", "video 120", "video 160"]
      assert.deepStrictEqual(yield* Fiber.join(one), expected)
      assert.isTrue(relay.isEnded)
      assert.deepStrictEqual(yield* read(relay.play), expected)
    })
  )

  it.effect("keeps nothing of a keyframe that is too far back, and lets players wait for the next", () =>
    Effect.gen(function* () {
      const relay = new StreamRelay()
      yield* addAll(relay, [...begun, video(80, { size: 17 * 1024 * 1024 })])
      const one = yield* player(relay)
      yield* addAll(relay, [audio(90), video(120), video(160, { keyframe: true }), audio(170)])
      yield* relay.end
      assert.deepStrictEqual(yield* Fiber.join(one), ["script 0", "header 0", "key 160", "audio 170"])
    })
  )

  it.effect("lets players of sound alone begin anywhere", () =>
    Effect.gen(function* () {
      const relay = new StreamRelay()
      yield* addAll(relay, [audio(0), audio(20)])
      const one = yield* player(relay)
      yield* relay.add(audio(40))
      yield* relay.end
      assert.deepStrictEqual(yield* Fiber.join(one), ["audio 40"])
    })
  )

  it.effect("drops a player that does not read, and does not wait for it", () =>
    Effect.gen(function* () {
      const relay = new StreamRelay()
      yield* addAll(relay, begun)
      const reads = yield* Deferred.make<void>()
      const got: Array<FlvTag> = []
      const slow = yield* Effect.forkChild(
        Stream.runForEach(relay.play, (tag) => {
          got.push(tag)
          return Deferred.await(reads)
        })
      )
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      for (let n = 0; n < 40; n++) yield* relay.add(video(100 + n, { size: 1024 * 1024 }))
      yield* Deferred.succeed(reads, undefined)
      // Its stream ends although the publisher's goes on.
      yield* Fiber.join(slow)
      assert.isBelow(got.length, 45)
      assert.isFalse(relay.isEnded)
    })
  )

  it.effect("gives followers every tag, and holds the publisher back while they are behind", () =>
    Effect.gen(function* () {
      const relay = new StreamRelay()
      const next = yield* relay.follow
      const tags = Array.from({ length: 100 }, (_, n) => video(n, { keyframe: n === 0 }))
      let added = 0
      const adding = yield* Effect.forkChild(
        Effect.forEach(tags, (tag) =>
          Effect.andThen(
            relay.add(tag),
            Effect.sync(() => added++)
          )
        )
      )
      yield* Effect.forEach(Array.from({ length: 300 }), () => Effect.yieldNow)
      assert.isBelow(added, 40)
      const got: Array<string> = []
      const takeAll = Effect.map(next, (some) => void got.push(...some.map((tag) => named(tag))))
      const reading = yield* Effect.forkChild(Effect.catchTag(Effect.forever(takeAll), "Done", () => Effect.void))
      yield* Fiber.join(adding)
      yield* relay.end
      yield* Fiber.join(reading)
      assert.deepStrictEqual(
        got,
        tags.map((tag) => named(tag))
      )
    }).pipe(Effect.scoped)
  )

  it.effect("goes on when a follower leaves that is behind", () =>
    Effect.gen(function* () {
      const relay = new StreamRelay()
      const follower = yield* Effect.forkChild(Effect.scoped(Effect.andThen(relay.follow, Effect.never)))
      yield* Effect.yieldNow
      const adding = yield* Effect.forkChild(
        addAll(
          relay,
          Array.from({ length: 100 }, (_, n) => audio(n))
        )
      )
      yield* Effect.forEach(Array.from({ length: 300 }), () => Effect.yieldNow)
      yield* Fiber.interrupt(follower)
      yield* Fiber.join(adding)
    })
  )
})
