import { assert, describe, it } from "@effect/vitest"
import { type PartRules, SegmentWindow } from "../../../src/live/session/MediaPlaylist.ts"
import type { LiveSegment } from "../../../src/live/session/MediaPlaylistLines.ts"

const began = Date.parse("2026-01-01T00:00:00Z")
const rules: PartRules = { target: 0.55, holdBack: 1.65 }

const segment = (number: number, fields: Partial<LiveSegment> = {}): LiveSegment => ({
  ...{ name: `s${number}.m4s`, seconds: 1, bytes: 1000, digest: "", begins: false, init: "init.mp4" },
  at: began + number * 1000,
  ...fields
})

/** Two parts of half a second for a segment, and the segment. */
const complete = (window: SegmentWindow, number: number, fields: Partial<LiveSegment> = {}) => {
  begin(window, number, 2, fields)
  return window.add(segment(number, fields))
}

const begin = (window: SegmentWindow, number: number, parts: number, fields: Partial<LiveSegment> = {}) => {
  for (let nth = 0; nth < parts; nth++) {
    const part = { name: `p${number}-${nth}.m4s`, seconds: 0.5, independent: nth === 0 }
    window.addPart(part, segment(number, fields), `p${number}-${nth + 1}.m4s`)
  }
}

describe("the media playlist of a live", () => {
  it("of transport streams is as it always was", () => {
    const window = new SegmentWindow(2)
    for (const number of [0, 1, 2]) {
      window.add(segment(number, { name: `s${number}.ts`, init: undefined, begins: number === 2 }))
    }
    assert.strictEqual(
      window.text(true),
      `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-TARGETDURATION:1
#EXT-X-MEDIA-SEQUENCE:1
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:01.000Z
#EXTINF:1.000,
s1.ts
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:02.000Z
#EXTINF:1.000,
s2.ts
#EXT-X-ENDLIST
`
    )
  })

  it("of fragments names the initialization section of each run", () => {
    const window = new SegmentWindow(10)
    window.add(segment(0))
    window.add(segment(1))
    window.add(segment(2, { begins: true, init: "second.mp4" }))
    const lines = window.text().split("\n")
    assert.include(lines, "#EXT-X-VERSION:7")
    assert.deepStrictEqual(
      lines.filter((line) => /MAP|DISCONTINUITY$|m4s/.test(line)),
      ['#EXT-X-MAP:URI="init.mp4"', "s0.m4s", "s1.m4s", "#EXT-X-DISCONTINUITY", '#EXT-X-MAP:URI="second.mp4"', "s2.m4s"]
    )
    assert.notInclude(window.text(), "EXT-X-PART")
    // What leaves takes its section with it; the next one that is listed names its own.
    for (const number of [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) window.add(segment(number, { init: "second.mp4" }))
    assert.deepStrictEqual(window.text().match(/MAP:URI="[^"]*"/g), ['MAP:URI="second.mp4"'])
  })

  it("lists parts near its end, what comes next, and where other versions are", () => {
    const window = new SegmentWindow(100, rules, 1)
    for (let number = 0; number < 5; number++) complete(window, number)
    begin(window, 5, 1)
    const others = [
      { playlist: "240.m3u8", end: { segment: 5, part: 2 } },
      { playlist: "0.m3u8", end: { segment: 5, part: 0 } }
    ]
    const text = window.text(false, others)
    assert.include(
      text,
      `#EXT-X-VERSION:9
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-TARGETDURATION:1
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=6.0,PART-HOLD-BACK=1.650
#EXT-X-PART-INF:PART-TARGET=0.550
#EXT-X-MEDIA-SEQUENCE:0
`
    )
    // Of the segments that end less than three target durations before the end.
    assert.deepStrictEqual(
      text.match(/URI="p[^"]*"/g),
      ["2-0", "2-1", "3-0", "3-1", "4-0", "4-1", "5-0", "5-1"].map((name) => `URI="p${name}.m4s"`)
    )
    assert.deepStrictEqual(
      window.parts,
      ["2-0", "2-1", "3-0", "3-1", "4-0", "4-1", "5-0"].map((it) => `p${it}.m4s`)
    )
    assert.isTrue(
      text.endsWith(`s4.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:05.000Z
#EXT-X-PART:DURATION=0.500,URI="p5-0.m4s",INDEPENDENT=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p5-1.m4s"
#EXT-X-RENDITION-REPORT:URI="240.m3u8",LAST-MSN=5,LAST-PART=1
#EXT-X-RENDITION-REPORT:URI="0.m3u8",LAST-MSN=4
`)
    )
    assert.deepStrictEqual(window.end, { segment: 5, part: 1 })
    window.add(segment(5))
    assert.deepStrictEqual(window.end, { segment: 6, part: 0 })
    assert.isTrue(window.text(true, others).endsWith("s5.m4s\n#EXT-X-ENDLIST\n"))
  })

  it("leaves out what a player knows, when it is old enough", () => {
    const window = new SegmentWindow(100, rules, 1)
    for (let number = 0; number < 7; number++) complete(window, number)
    assert.strictEqual(window.delta(), window.text())
    for (let number = 7; number < 20; number++) complete(window, number)
    const delta = window.delta()
    assert.include(delta, "#EXT-X-MEDIA-SEQUENCE:0\n")
    assert.include(delta, '#EXT-X-SKIP:SKIPPED-SEGMENTS=13\n#EXT-X-MAP:URI="init.mp4"\n')
    assert.deepStrictEqual(
      delta.match(/^s\d+/gm),
      [13, 14, 15, 16, 17, 18, 19].map((number) => `s${number}`)
    )
    assert.strictEqual(delta.slice(delta.indexOf("s14.m4s")), window.text().slice(window.text().indexOf("s14.m4s")))
  })

  it("begins a run with its discontinuity, and forgets the parts that led to nothing", () => {
    const window = new SegmentWindow(100, rules, 1)
    complete(window, 0)
    begin(window, 1, 1)
    begin(window, 9, 1, { init: "second.mp4", begins: true })
    assert.isTrue(
      window.text().endsWith(`s0.m4s
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="second.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:09.000Z
#EXT-X-PART:DURATION=0.500,URI="p9-0.m4s",INDEPENDENT=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p9-1.m4s"
`)
    )
    window.add(segment(9, { init: "second.mp4", begins: true }))
    assert.notInclude(window.text(), "p1-0")
  })

  it("says how long parts are, also when one is longer than planned", () => {
    const window = new SegmentWindow(100, rules, 1)
    window.addPart({ name: "p0.m4s", seconds: 0.8, independent: true }, segment(0), "p1.m4s")
    assert.include(window.text(), "PART-HOLD-BACK=2.400\n#EXT-X-PART-INF:PART-TARGET=0.800\n")
  })
})
