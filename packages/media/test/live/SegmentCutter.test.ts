import { assert, describe, it } from "@effect/vitest"
import { MalformedMp4 } from "../../src/errors/MediaErrors.ts"
import type { ReadFragment } from "../../src/live/FragmentReader.ts"
import { SegmentCutter } from "../../src/live/SegmentCutter.ts"

const fragment = (start: number | undefined, seconds: number, independent = false): ReadFragment => ({
  ...{ kind: "fragment", start, seconds, independent },
  bytes: Buffer.from(start === undefined ? "~" : "#")
})

/** What comes of fragments: parts as `p<segment>`, segments as their seconds and bytes. */
const cut = (cutter: SegmentCutter, fragments: ReadonlyArray<ReadFragment>) =>
  [...fragments.flatMap((it) => cutter.add(it)), ...cutter.end()].map((it) =>
    it.kind === "part"
      ? `p${it.segment}${it.independent ? "!" : ""}`
      : `${it.seconds.toFixed(2)} ${Buffer.concat(it.bytes).toString()}`
  )

describe("SegmentCutter", () => {
  it("ends a segment before the keyframe of the next interval", () => {
    const halves = Array.from({ length: 9 }, (_, at) => fragment(10 + at / 2, 0.5, at % 2 === 0))
    assert.deepStrictEqual(cut(new SegmentCutter(2, true), halves), [
      ...["p0!", "p0", "p0!", "p0", "2.00 ####"],
      ...["p1!", "p1", "p1!", "p1", "2.00 ####"],
      ...["p2!", "0.50 #"]
    ])
  })

  it("knows the end of a segment without the next fragment where each begins at a keyframe", () => {
    const cutter = new SegmentCutter(2, false)
    const lengths = [0.98, 0.97, 1, 1, 3].map((seconds, at, all) =>
      cutter.add(
        fragment(
          all.slice(0, at).reduce((sum, it) => sum + it, 0),
          seconds,
          true
        )
      )
    )
    assert.deepStrictEqual(
      lengths.map((it) => it.length),
      [0, 1, 0, 1, 1]
    )
    assert.deepStrictEqual(cutter.end(), [])
  })

  it("keeps fragments without pictures for the next one", () => {
    const fragments = [fragment(0, 0.5, true), fragment(undefined, 0), fragment(1, 1, true), fragment(undefined, 0)]
    assert.deepStrictEqual(cut(new SegmentCutter(1, true), fragments), ["p0!", "1.00 #", "p1!", "1.00 ~#~"])
  })

  it("gives up when there are no more pictures", () => {
    const cutter = new SegmentCutter(2, true)
    const sound = { ...fragment(undefined, 0), bytes: Buffer.alloc(5 * 1024 ** 2) }
    assert.throws(() => {
      for (let nth = 0; nth < 4; nth++) cutter.add(sound)
    }, MalformedMp4)
  })
})
