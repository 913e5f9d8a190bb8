import { assert, describe, it } from "@effect/vitest"
import { cleanText, escapeHtml, safeUrl, scriptJson, truncate } from "../../../src/platform/html/Escape.ts"
import { html, urlAttribute } from "../../../src/platform/html/Html.ts"
import { pageLanguage } from "../../../src/web-pages/language/PageLanguage.ts"
import { ago, amount, richText, withMarkup } from "../../../src/web-pages/Text.ts"

describe("escaping", () => {
  it("covers text and quoted attributes", () => {
    assert.strictEqual(escapeHtml(`<b a="1" b='2'>&\``), "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;&#96;")
    assert.strictEqual(
      html`<i title="${'"><script>'}">${["<", null, false, undefined, 3]}</i>`.markup,
      `<i title="&quot;&gt;&lt;script&gt;">&lt;3</i>`
    )
  })

  it("takes away control characters, direction marks and lone surrogates", () => {
    assert.strictEqual(cleanText("a\u0000b\u001bc\u202egpj.exe\u2066\ufffe\nd\te"), "abcgpj.exe\nd\te")
    assert.strictEqual(cleanText("x\ud800y"), "x\ufffdy")
    assert.strictEqual(cleanText("مرحبا 👋🏽 שלום"), "مرحبا 👋🏽 שלום")
  })

  it("lets no JSON leave a script element", () => {
    const value = { a: "</script><!-- ]]> \u2028\u2029 &amp; <SCRIPT>", "</script>": 1 }
    const text = scriptJson(value)
    assert.notMatch(text, /[<>&\u2028\u2029]/)
    assert.deepStrictEqual(JSON.parse(text), value)
  })

  it("lets only http, https and paths of our own into addresses", () => {
    for (const bad of [
      "javascript:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil",
      "blob:x",
      "file:///etc/passwd",
      ""
    ]) {
      assert.isUndefined(safeUrl(bad), bad)
      assert.strictEqual(urlAttribute("href", bad).markup, "")
    }
    assert.strictEqual(safeUrl("/a/b?c=1"), "/a/b?c=1")
    assert.strictEqual(
      urlAttribute("src", 'https://a.example/"onload="x').markup,
      ' src="https://a.example/%22onload=%22x"'
    )
  })

  it("cuts long text at a word and never through a character", () => {
    assert.strictEqual(truncate("one two three four", 14), "one two three…")
    assert.strictEqual(truncate("ab", 2), "ab")
    assert.strictEqual(truncate(`${"x".repeat(8)}😀😀`, 10), `${"x".repeat(8)}…`)
  })
})

describe("texts of people", () => {
  it("become links only for http and https, without what follows them", () => {
    const text = richText(
      "see https://a.example/x?y=1&z=2, or (https://b.example). javascript:alert(1) <a href=x>",
      100
    ).markup
    assert.include(
      text,
      `<a href="https://a.example/x?y=1&amp;z=2" rel="nofollow noopener ugc">https://a.example/x?y=1&amp;z=2</a>,`
    )
    assert.include(text, `>https://b.example</a>).`)
    assert.notMatch(text, /href="javascript|<a href=x>/)
  })

  it("are read as Markdown, with times outside of links and code", () => {
    const text = richText("**Bold**\n- [at 0:10](https://a.example)\n- `0:20`\n- 0:30", 60).markup
    assert.include(text, "<strong>Bold</strong>")
    assert.include(text, `<a href="https://a.example" rel="nofollow noopener ugc">at 0:10</a>`)
    assert.include(text, "<code>0:20</code>")
    assert.deepStrictEqual(text.match(/data-seek="\d+"/g), [`data-seek="30"`])
  })

  it("have times that seek, when they are within the video", () => {
    const text = richText("0:30 start, 1:02:03 too late, 12:99 no time", 60).markup
    assert.include(text, `<a href="?start=30" data-seek="30">0:30</a>`)
    assert.strictEqual(text.match(/<a /g)?.length, 1)
  })

  it("are read in linear time (WEB-03)", () => {
    // What is not does not end within the test's time.
    for (const piece of ["[", "https://", "0:0", "1:", "https://a.", "((((", ")))", "&<"])
      richText(piece.repeat(1_000_000), 1)
  })

  it("say how long ago and how often", () => {
    const english = pageLanguage("en")
    const now = Date.parse("2026-11-21T12:00:00Z")
    const before = (seconds: number) => ago(english, now - seconds * 1000, now)
    assert.deepStrictEqual([5, 60, 7200, 90_000, 700_000, 9e7].map(before), [
      "just now",
      "1 minute ago",
      "2 hours ago",
      "1 day ago",
      "1 week ago",
      "2 years ago"
    ])
    const views = (code: "en" | "fr") => [0, 1, 1290].map((it) => amount(pageLanguage(code), "views", it))
    assert.deepStrictEqual(views("en"), ["No views", "1 view", "1.3K views"])
    assert.deepStrictEqual(views("fr"), ["Aucune vue", "1 vue", "1,3 k vues"])
    assert.strictEqual(ago(pageLanguage("fr"), now - 7_200_000, now), "il y a 2 heures")
  })

  it("take markup in the place of a value", () => {
    const by = withMarkup((name) => `by ${name} & others`, html`<b>A</b>`)
    assert.strictEqual(by.markup, "by <b>A</b> &amp; others")
  })
})
