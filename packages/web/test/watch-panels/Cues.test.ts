import { assert, describe, it } from "@effect/vitest"
import { cuesOf, folded } from "../../src/watch-panels/Cues.ts"

describe("cues of a transcript", () => {
  it("are read with their times, without marks, names of cues and notes", () => {
    const file = `WEBVTT - a title\r\n\r\nNOTE nothing\r\n--> said\r\n\r\n1\r\n00:01.500 --> 00:03.000 align:start\r\n<v Ann>Hello &amp; <i>welcome</i></v>\r\nto it\r\n\r\nsecond\r\n01:02:03.004 --> 01:02:05.000\r\nTwo\r\n`
    assert.deepStrictEqual(cuesOf(file), [
      { start: 1.5, end: 3, text: "Hello & welcome to it" },
      { start: 3723.004, end: 3725, text: "Two" }
    ])
  })

  it("a line that goes on counts once, and what is no subtitle has none", () => {
    const rolling = `WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n00:02.000 --> 00:03.000\nOne\n\n00:03.000 --> 00:04.000\n&nbsp;\n`
    assert.deepStrictEqual(
      cuesOf(rolling).map((it) => it.text),
      ["One"]
    )
    for (const text of ["", "<html>", "WEBVTT\n\n99 --> 100\nx", "-->"]) assert.deepStrictEqual(cuesOf(text), [])
  })

  it("words are found whatever their accents and case", () => {
    assert.strictEqual(folded("ÉTÉ Ça"), "ete ca")
  })
})
