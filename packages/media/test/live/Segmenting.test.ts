import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startSegmenting } from "../../src/live/Segmenting.ts"

const count = 20_000
/** A program that lists segments as fast as it can, in place of ffmpeg. */
const list = (last: number) =>
  startSegmenting(
    "awk",
    [`BEGIN { for (n = 0; n < ${last}; n++) printf "s-720-%06d.ts,%d,%d\\n", n, n, n + 1 }`],
    "/nowhere"
  )

describe("segments that nobody takes", () => {
  it.live("have ffmpeg wait, and come in order when they are taken", () =>
    Effect.gen(function* () {
      const { child, next } = yield* list(count)
      // What fits into pipes and what may wait is far from all.
      const early = yield* Effect.timeoutOption(child.ended, "1500 millis")
      assert.isTrue(early._tag === "None")
      for (let n = 0; n < count; n++) assert.strictEqual((yield* next).number, n)
      assert.deepStrictEqual((yield* child.ended).code, 0)
      assert.strictEqual((yield* Effect.flip(next))._tag, "Done")
    }).pipe(Effect.scoped)
  )

  it.live("do not hold up its end", () =>
    Effect.gen(function* () {
      const { next } = yield* list(count)
      yield* next
    }).pipe(Effect.scoped, Effect.timeout("5 seconds"))
  )
})
