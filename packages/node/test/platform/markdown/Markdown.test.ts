import { assert, describe, it } from "@effect/vitest"
import { toPlainText, toSafeHtml } from "../../../src/platform/markdown/Markdown.ts"

const link = (address: string, text = address) => `<a href="${address}" rel="nofollow noopener ugc">${text}</a>`

describe("WEB-03, WEB-04: text of people", () => {
  it("becomes markup that holds nothing but what is allowed", () => {
    const cases: ReadonlyArray<readonly [text: string, html: string]> = [
      ["a *b* **c** ~~d~~ `e<f`", "<p>a <em>b</em> <strong>c</strong> <s>d</s> <code>e&lt;f</code></p>"],
      ["a\nb\n\nc", "<p>a<br>\nb</p>\n<p>c</p>"],
      ["- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
      ["> a", "<blockquote>\n<p>a</p>\n</blockquote>"],
      ["see https://a.example/?b=c&d.", `<p>see ${link("https://a.example/?b=c&amp;d")}.</p>`],
      ['[a](https://b.example "t")', '<p><a href="https://b.example" title="t" rel="nofollow noopener ugc">a</a></p>'],
      ["<mailto:a@b.example>", `<p>${link("mailto:a@b.example")}</p>`],
      ["# no heading", "<p># no heading</p>"],
      ["![x](https://b.example/c.png)", `<p>!${link("https://b.example/c.png", "x")}</p>`],
      ["<b onclick=x>a</b>&lt;i&gt;", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;&lt;i&gt;</p>"],
      ["a\u202eb\u200bc\u0007d", "<p>abcd</p>"]
    ]
    for (const [text, html] of cases) assert.strictEqual(toSafeHtml(text), html)
  })

  it("has no links that run something", () => {
    const addresses = [
      ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", "&#106;avascript:alert(1)", "\\javascript:alert(1)"],
      ...["data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc/passwd", "//evil.example", "/w/x"],
      ...["java%0ascript:alert(1)", "\u0001javascript:alert(1)", "https:javascript:alert(1)", "mailto:"]
    ]
    for (const address of addresses) {
      for (const text of [`[a](${address})`, `[a](<${address}>)`, `<${address}>`, address]) {
        assert.notInclude(toSafeHtml(text), "<a", text)
      }
    }
  })

  it("takes time in proportion to its length", () => {
    const pieces = [
      "[",
      "[a](",
      "![",
      "<",
      "*a ",
      "_",
      "`` ` ",
      "> ",
      "- ",
      "~~a",
      "(",
      "&#x",
      "\\",
      "https://",
      "a",
      "\n- "
    ]
    for (const piece of pieces) {
      // What grows with the square of the length does not end within the test's time.
      const html = toSafeHtml(piece.repeat(1_000_000))
      assert.isBelow(html.length, 500_000, piece)
    }
    assert.isBelow(toSafeHtml("x".repeat(1_000_000)).length, 21_000)
  })

  it("is told without markup where there is none", () => {
    const text = "Hello *you*,\nsee [this](https://a.example)\n\n- one\n- two\n\n```\ncode\n```\n<b>"
    assert.strictEqual(toPlainText(text), "Hello you,\nsee this\none\ntwo\ncode\n\n<b>")
  })
})
