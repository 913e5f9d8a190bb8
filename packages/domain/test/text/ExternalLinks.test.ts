import { assert, describe, it } from "@effect/vitest"
import { hasExternalLink } from "../../src/text/ExternalLinks.ts"
import { withoutMarkup } from "../../src/text/MarkdownText.ts"

const own = "videos.example:9000"

describe("external links", () => {
  it("lead to another host, however they are written", () => {
    for (const text of [
      "see https://elsewhere.example/x",
      "HTTP://ELSEWHERE.EXAMPLE",
      "[here](https://elsewhere.example)",
      "<https://elsewhere.example>",
      "[here](https:\\/\\/elsewhere.example)",
      "[here](https&#58;//elsewhere.example)",
      "[here](https&colon;//elsewhere.example)",
      "https://videos.example/other-port",
      "https://videos.example:9000@elsewhere.example/",
      "https://videos.example.elsewhere.example/",
      "go to www.elsewhere.example now",
      "ours https://videos.example:9000/w/1 and https://elsewhere.example",
      "ht\u200btps://elsewhere.example"
    ]) {
      assert.isTrue(hasExternalLink(text, own), text)
    }
  })

  it("are none of ours, and no text that looks a little like one", () => {
    for (const text of [
      "",
      "https://videos.example:9000/w/1",
      "https://somebody@videos.example:9000?x",
      "[us](HTTPS://Videos.Example:9000)",
      "somebody@www.example.com",
      "e.g. this, i.e. Node.js",
      "https://",
      "mailto:a@elsewhere.example",
      "the www. of it",
      "ftp://elsewhere.example"
    ]) {
      assert.isFalse(hasExternalLink(text, own), text)
    }
  })
})

describe("Markdown", () => {
  it("is read as it is shown", () => {
    assert.strictEqual(
      withoutMarkup("b**a**d `wo`rd ~~x~~ \\*kept? &#98;&#x61;d &amp; &unknown;"),
      "bad word x kept? bad & &unknown;"
    )
    assert.strictEqual(withoutMarkup("&#0; &#9999999; &#xffffff;"), "&#0; &#9999999; &#xffffff;")
  })
})
