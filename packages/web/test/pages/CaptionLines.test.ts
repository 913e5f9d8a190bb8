import { assert, describe, it } from "vitest"
import { captionProblem, cueStartAt, emptyCaptions, withCue } from "../../src/pages/video-edit/CaptionLines.ts"

const two =
  "WEBVTT\n\nNOTE by hand\n\n1\n00:01.000 --> 00:02.500 align:start\nHello\nto you\n\n01:00:00.000 --> 01:00:01.000\nLater\n"

describe("captions as text", () => {
  it("are fine, with notes, names, settings, hours and Windows line ends", () => {
    for (const text of [two, two.replaceAll("\n", "\r\n"), emptyCaptions, "WEBVTT - a title\n"]) {
      assert.isUndefined(captionProblem(text), text)
    }
  })

  it("say what is wrong in which line", () => {
    assert.deepStrictEqual(captionProblem("1\n00:01.000 --> 00:02.000\nx"), { line: 1, problem: "header" })
    assert.deepStrictEqual(captionProblem("WEBVTT\n\n00:01,000 --> 00:02,000\nx"), { line: 3, problem: "time" })
    assert.deepStrictEqual(captionProblem("WEBVTT\n\n0:01.000 --> 0:02.000\nx"), { line: 3, problem: "time" })
    assert.deepStrictEqual(captionProblem("WEBVTT\n\n00:02.000 --> 00:02.000\nx"), { line: 3, problem: "order" })
    assert.deepStrictEqual(captionProblem("WEBVTT\n\n00:01.000 --> 00:02.000\n\n"), { line: 3, problem: "text" })
  })

  it("know the cue around a place", () => {
    assert.strictEqual(cueStartAt(two, two.indexOf("to you")), 1)
    assert.strictEqual(cueStartAt(two, two.indexOf("00:01.000")), 1)
    assert.strictEqual(cueStartAt(two, two.indexOf("Later")), 3600)
    assert.isUndefined(cueStartAt(two, two.indexOf("by hand")))
    assert.isUndefined(cueStartAt("", 0))
  })

  it("grow by a cue at a moment", () => {
    assert.include(withCue("", 3725.0405, 1).text, "01:02:05.041 --> 01:02:06.041")
    const { at, text } = withCue(emptyCaptions, 61.5, 3)
    assert.strictEqual(text, "WEBVTT\n\n00:01:01.500 --> 00:01:04.500\n")
    assert.strictEqual(at, text.length)
  })
})
