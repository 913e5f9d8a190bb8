import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type BlockingPlaylist, directivesOf } from "../../../src/video/file/BlockingPlaylist.ts"
import { LiveParts } from "../../../src/video/file/LiveParts.ts"
import { LivePlaylists, type LiveTexts } from "../../../src/video/file/LivePlaylists.ts"
import { makeWaiting } from "../../../src/video/file/Waiting.ts"

const services = () => Effect.provide(Layer.mergeAll(LivePlaylists.layer, LiveParts.layer))

const playlist = (segment: number, parts: number, ended = false): BlockingPlaylist => ({
  ...{ segment, parts, partsBefore: 3, targetDuration: 2, ended },
  text: `${segment}.${parts}`,
  delta: `delta ${segment}.${parts}`
})
const texts = (it: BlockingPlaylist): LiveTexts => new Map<string, string | BlockingPlaylist>([["a.m3u8", it]])
const asked = (query: string) => directivesOf(`/a.m3u8?${query}`)!

it("reads directives, and refuses those that make no sense", () => {
  assert.deepStrictEqual(directivesOf("/a.m3u8?videoFileToken=_HLS_"), asked(""))
  assert.deepStrictEqual(asked("_HLS_msn=7&_HLS_part=2&_HLS_skip=YES"), { segment: 7, part: 2, skip: true })
  for (const query of ["_HLS_msn=-1", "_HLS_msn=1e3", "_HLS_part=1", "_HLS_msn=1&_HLS_part=x", "_HLS_msn=9999999999"]) {
    assert.isUndefined(directivesOf(`/a.m3u8?${query}`))
  }
})

it.effect("gives at once what is there, and refuses what is too far off", () =>
  Effect.gen(function* () {
    const lives = yield* LivePlaylists
    assert.isUndefined(yield* lives.read("u", "a.m3u8", asked("_HLS_msn=1")))
    lives.show("u", texts(playlist(10, 2)))
    for (const query of [
      "",
      "_HLS_msn=9",
      "_HLS_msn=9&_HLS_part=2",
      "_HLS_msn=9&_HLS_part=7",
      "_HLS_msn=10&_HLS_part=1"
    ]) {
      assert.strictEqual(yield* lives.read("u", "a.m3u8", asked(query)), "10.2")
    }
    assert.strictEqual(yield* lives.read("u", "a.m3u8", asked("_HLS_skip=YES")), "delta 10.2")
    const error = yield* Effect.flip(lives.read("u", "a.m3u8", asked("_HLS_msn=12")))
    assert.strictEqual(error._tag, "InvalidDeliveryDirectives")
  }).pipe(services())
)

it.effect("waits for a part, a segment and the end, and for three target durations at most", () =>
  Effect.gen(function* () {
    const lives = yield* LivePlaylists
    lives.show("u", texts(playlist(10, 2)))
    const wait = (query: string) =>
      Effect.forkChild(lives.read("u", "a.m3u8", asked(query)), { startImmediately: true })
    const part = yield* wait("_HLS_msn=10&_HLS_part=2")
    const behind = yield* wait("_HLS_msn=10&_HLS_part=3")
    const segment = yield* wait("_HLS_msn=10&_HLS_skip=YES")
    const next = yield* wait("_HLS_msn=11")
    lives.show("u", texts(playlist(10, 3)))
    assert.strictEqual(yield* Fiber.join(part), "10.3")
    // The segment ends; the part behind its last one is the first of the next.
    lives.show("u", texts(playlist(11, 0)))
    assert.strictEqual(yield* Fiber.join(segment), "delta 11.0")
    assert.isUndefined(behind.pollUnsafe())
    lives.show("u", texts(playlist(11, 1)))
    assert.strictEqual(yield* Fiber.join(behind), "11.1")
    lives.show("u", texts(playlist(11, 1, true)))
    assert.strictEqual(yield* Fiber.join(next), "11.1")

    lives.show("u", texts(playlist(20, 0)))
    const late = yield* wait("_HLS_msn=20")
    yield* TestClock.adjust("5 seconds")
    assert.isUndefined(late.pollUnsafe())
    yield* TestClock.adjust("2 seconds")
    const error = yield* Effect.flip(Fiber.join(late))
    assert.strictEqual(error._tag, "ServiceUnavailable")

    const gone = yield* wait("_HLS_msn=20")
    const last = texts(playlist(20, 0))
    lives.show("u", last)
    lives.remove("u", last)
    assert.isUndefined(yield* Fiber.join(gone))
  }).pipe(services())
)

it.effect("holds a request for the part that is announced, and no other", () =>
  Effect.gen(function* () {
    const parts = yield* LiveParts
    const bytes = Uint8Array.from([1, 2])
    parts.show("u", { places: new Map(), hints: new Set(["p1", "p2"]) })
    assert.isUndefined(yield* parts.read("u", "p3"))
    const [first, second] = yield* Effect.forEach(["p1", "p2"], (name) =>
      Effect.forkChild(parts.read("u", name), { startImmediately: true })
    )
    parts.show("u", { places: new Map([["p1", { bytes }]]), hints: new Set(["p2"]) })
    assert.deepStrictEqual(yield* Fiber.join(first!), { bytes })
    // The live ended: it does not come.
    parts.show("u", { places: new Map([["p1", { bytes }]]), hints: new Set() })
    assert.isUndefined(yield* Fiber.join(second!))
    parts.show("u", { places: new Map(), hints: new Set(["p2"]) })
    const late = yield* Effect.forkChild(parts.read("u", "p2"), { startImmediately: true })
    yield* TestClock.adjust("13 seconds")
    assert.isUndefined(yield* Fiber.join(late))
  }).pipe(services())
)

it.effect("lets only so many requests wait, and forgets those that are given up", () =>
  Effect.gen(function* () {
    const waiting = makeWaiting(1)
    const never = waiting.until("u", () => undefined)
    const one = yield* Effect.forkChild(never, { startImmediately: true })
    assert.strictEqual((yield* Effect.flip(never))._tag, "ServiceUnavailable")
    yield* Fiber.interrupt(one)
    const other = yield* Effect.forkChild(never, { startImmediately: true })
    assert.isUndefined(other.pollUnsafe())
    yield* Fiber.interrupt(other)
  })
)
