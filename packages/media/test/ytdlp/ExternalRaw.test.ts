import { assert, describe, it } from "@effect/vitest"
import { readExternalVideo, readListedVideos } from "../../src/ytdlp/ExternalRaw.ts"

const asked = "https://videos.example/watch"
const read = (raw: unknown) => readExternalVideo(JSON.stringify(raw), asked)

describe("what pages say of videos", () => {
  it("is taken as far as it is what it should be", () => {
    const video = read({
      title: "A\u0000 title\n of \u202etwo lines",
      description: "One\r\ntwo\u0007",
      tags: ["tag", "Tag", "x", null, "y".repeat(31), "second", "third", "fourth", "fifth", "sixth"],
      categories: [null, "Music"],
      language: "pt-BR",
      age_limit: 18,
      thumbnail: "http://videos.example/t.jpg",
      timestamp: 1_700_000_000.5,
      duration: 12.5,
      chapters: [
        { start_time: 9, title: "Later" },
        { start_time: 0, title: " First " },
        { start_time: "x", title: "No time" },
        { title: "No time" }
      ],
      is_live: "yes",
      webpage_url: "javascript:alert(1)"
    })
    assert.deepStrictEqual(video, {
      url: asked,
      title: "A title of two lines",
      description: "One\ntwo",
      tags: ["tag", "second", "third", "fourth", "fifth"],
      language: "pt-br",
      licence: undefined,
      category: "Music",
      nsfw: true,
      thumbnailUrl: undefined,
      publishedAt: 1_700_000_000_500,
      duration: 12.5,
      chapters: [
        { title: "First", start: 0 },
        { title: "Later", start: 9 }
      ],
      isLive: false
    })
  })

  it("is cut without halving a character, and absent when there is nothing to it", () => {
    assert.strictEqual(read({ title: `${"x".repeat(119)}😀` })?.title, "x".repeat(119))
    assert.strictEqual(read({ description: "y".repeat(20_000) })?.description?.length, 10_000)
    for (const wrong of [5, null, "", " \n", ["x"], {}]) assert.isUndefined(read({ title: wrong })?.title)
    for (const date of ["20251332x", "0000", 5]) assert.isUndefined(read({ upload_date: date })?.publishedAt)
    assert.isUndefined(read({ timestamp: 1e300 })?.publishedAt)
    for (const line of ["", "nothing", "[]", "5"]) assert.isUndefined(readExternalVideo(line, asked))
  })

  it("tells lives by either field", () => {
    assert.isTrue(read({ is_live: true })?.isLive)
    assert.isTrue(read({ live_status: "is_upcoming" })?.isLive)
    assert.isFalse(read({ live_status: "was_live" })?.isLive)
  })
})

describe("lists", () => {
  it("name each video once, and lists of lists apart from videos", () => {
    const lines = [
      { webpage_url: "https://v.example/tab/videos", _type: "url", ie_key: "YoutubeTab" },
      { webpage_url: "https://v.example/a", url: "https://v.example/a.mp4", upload_date: "20251103" },
      { webpage_url: "https://v.example/a2", url: "https://v.example/a2.mp4" },
      { webpage_url: "https://v.example/a2", url: "https://v.example/b2.mp4" },
      { webpage_url: "file:///etc/passwd", url: "https://me:secret@v.example/" },
      { webpage_url: "https://v.example/a" + "a".repeat(2000) }
    ].map((raw) => JSON.stringify(raw))
    const { lists, videos } = readListedVideos([...lines, "not JSON"])
    assert.deepStrictEqual(lists, ["https://v.example/tab/videos"])
    assert.deepStrictEqual(videos, [
      { url: "https://v.example/a", publishedAt: Date.UTC(2025, 10, 3) },
      { url: "https://v.example/a2.mp4", publishedAt: undefined },
      { url: "https://v.example/b2.mp4", publishedAt: undefined }
    ])
  })
})
