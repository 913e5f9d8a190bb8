import { assert, describe, it } from "@effect/vitest"
import { importedFacts } from "../../../src/video/import/Cleaning.ts"
import { provisionalName } from "../../../src/video/import/ImportSource.ts"

const nothing = {
  url: "https://example.org/v",
  title: undefined,
  description: undefined,
  tags: [],
  language: undefined,
  licence: undefined,
  category: undefined,
  nsfw: false,
  thumbnailUrl: undefined,
  publishedAt: undefined,
  duration: undefined,
  chapters: [],
  isLive: false
}

describe("what a page says of its video", () => {
  it("is cut to the limits and cleaned", () => {
    const facts = importedFacts({
      ...nothing,
      title: `\u202eA \n title\u0000 ${"é".repeat(300)}`,
      description: `One\r\ntwo\u0007${"😀".repeat(11_000)}`,
      tags: ["a", "Tea", "tea", "x".repeat(40), "1b", "2c", "3d", "4e"],
      language: "pt-xx",
      nsfw: true,
      publishedAt: Date.UTC(2020, 0, 2),
      chapters: [
        { title: "Start", start: 0.4 },
        { title: "Again", start: 0.9 },
        { title: " \u0000 ", start: 5 },
        { title: "End", start: 9 }
      ]
    })
    assert.match(facts.name ?? "", /^A title é+$/)
    assert.lengthOf(Array.from(facts.name ?? ""), 120)
    assert.isTrue(facts.description?.startsWith("One\ntwo😀"))
    assert.lengthOf(Array.from(facts.description ?? ""), 10_000)
    assert.deepStrictEqual(facts.tags, ["Tea", "x".repeat(30), "1b", "2c", "3d"])
    assert.deepInclude(facts, { language: "pt", nsfw: true, originallyPublishedAt: "2020-01-02T00:00:00.000Z" })
    assert.deepStrictEqual(facts.chapters, [
      { timecode: 0, title: "Start" },
      { timecode: 9, title: "End" }
    ])
  })

  it("is left out where nothing is left of it", () => {
    assert.deepInclude(importedFacts({ ...nothing, title: "\u0000ab", description: "\n", language: "klingonese" }), {
      name: undefined,
      description: undefined,
      language: undefined
    })
  })
})

describe("the name of a video until its own is known", () => {
  it("comes from where it is fetched", () => {
    const named = (url: string) => provisionalName({ _tag: "Url", url })
    assert.strictEqual(named("https://example.org/a/b%20c.mp4?x=1"), "b c.mp4")
    assert.strictEqual(named("https://example.org/%E0%A4%A"), "%E0%A4%A")
    assert.strictEqual(named("https://example.org/"), "example.org")
    assert.strictEqual(provisionalName({ _tag: "Magnet", uri: "magnet:?xt=urn:btih:a&dn=My+film" }), "My film")
    assert.strictEqual(provisionalName({ _tag: "Torrent", file: new Uint8Array(), name: "x" }), "Imported video")
  })
})
