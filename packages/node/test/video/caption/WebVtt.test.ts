import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { safeCueLine, safeSubRipLine } from "../../../src/video/caption/CaptionText.ts"
import { toWebVtt } from "../../../src/video/caption/WebVtt.ts"

const vtt = "WEBVTT - a title\n\n"

describe("captions as WebVTT", () => {
  it.effect("keep times, places and text", () =>
    Effect.gen(function* () {
      const text =
        `\ufeff${vtt}intro\r\n00:01.500 --> 00:02.000 align:start position:10%,line-left size:x evil:1\r\n` +
        "<v Ann>Hello</v> &amp; <i>you</i>\r\nSecond line\r\n\r\n01:00:00.000 --> 01:00:01.000\rLater"
      assert.strictEqual(
        yield* toWebVtt(text),
        "WEBVTT\n\n00:00:01.500 --> 00:00:02.000 align:start position:10%,line-left\n" +
          "<v Ann>Hello</v> &amp; <i>you</i>\nSecond line\n\n01:00:00.000 --> 01:00:01.000\nLater\n"
      )
    })
  )

  it.effect("are made of SubRip", () =>
    Effect.gen(function* () {
      const text =
        '1\n00:00:01,5 --> 00:00:02,000\n{\\an8}<font color="red">Red</font> <B>bold</B>\n\n\n' +
        "2\n00:00:03,000 --> 00:00:04,000\n1 < 2 & 3 > 2\n"
      assert.strictEqual(
        yield* toWebVtt(text),
        "WEBVTT\n\n00:00:01.500 --> 00:00:02.000\nRed <b>bold</b>\n\n" +
          "00:00:03.000 --> 00:00:04.000\n1 &lt; 2 &amp; 3 &gt; 2\n"
      )
    })
  )

  it.effect("lose styles, regions, notes and broken cues", () =>
    Effect.gen(function* () {
      const text =
        `${vtt}STYLE\n::cue { background: url(https://evil.example/) }\n\nREGION\nid:a\n\nNOTE 00:00 --> later\n\n` +
        "00:02.000 --> 00:01.000\nBackwards\n\n00:61.000 --> 00:62.000\nNo such second\n\n00:01.000 --> 00:02.000\n\n" +
        "00:03.000 --> 00:04.000\nStays\n"
      assert.strictEqual(yield* toWebVtt(text), "WEBVTT\n\n00:00:03.000 --> 00:00:04.000\nStays\n")
    })
  )

  it.effect("without a cue are none", () =>
    Effect.gen(function* () {
      for (const text of ["", "WEBVTT", "hello", "<html><script>alert(1)</script></html>", "0 --> 1\nx"]) {
        assert.isUndefined(yield* toWebVtt(text), text)
      }
    })
  )

  it("write what is no tag of theirs as text", () => {
    assert.strictEqual(safeCueLine("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;")
    assert.strictEqual(safeCueLine("<img src=x onerror=y>"), "&lt;img src=x onerror=y&gt;")
    assert.strictEqual(safeCueLine("a --> b"), "a --&gt; b")
    assert.strictEqual(safeCueLine("<c.red.big>x</c> <00:01.000>y"), "<c.red.big>x</c> <00:01.000>y")
    assert.strictEqual(safeCueLine("<v <b>>x &evil; &#60;"), "&lt;v <b>&gt;x &amp;evil; &#60;")
    assert.strictEqual(safeCueLine("a\u0000b\u2028c"), "abc")
    assert.strictEqual(safeSubRipLine("<fo<font>nt>x"), "&lt;font&gt;x")
  })

  it.effect("never take long", () =>
    Effect.gen(function* () {
      // What grows with the square of the length does not end within the test's time.
      const cue = "00:01.000 --> 00:02.000\n"
      for (const text of [
        `${vtt}${cue}${"<".repeat(4_000_000)}`,
        `${vtt}${cue}${"<font ".repeat(500_000)}`,
        `${vtt}${"00:01.000 --> ".repeat(200_000)}`,
        `1\n${cue}${"{\\".repeat(1_000_000)}`,
        "\n".repeat(4_000_000)
      ]) {
        yield* toWebVtt(text)
      }
    })
  )
})
