import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeActor } from "../../src/objects/ActorObject.ts"
import { decodeCacheFile } from "../../src/objects/CacheFileObject.ts"
import type { JsonObject } from "../../src/vocabulary/Json.ts"
import { normaliseResult } from "../../src/vocabulary/Normalise.ts"
import { decodeNote } from "../../src/objects/NoteObject.ts"
import { seemsHtml, textOfHtml } from "../../src/vocabulary/PlainText.ts"
import { readCaptions } from "../../src/objects/VideoExtras.ts"
import { secondsOf, timeOf } from "../../src/vocabulary/Reading.ts"
import { decodeVideo } from "../../src/objects/VideoObject.ts"

const origin = "https://far.example"
const publicCollection = "https://www.w3.org/ns/activitystreams#Public"

const normal = (document: unknown): JsonObject => Result.getOrThrow(normaliseResult(document))
const why = <A>(result: Result.Result<A, { readonly why: string }>): string | undefined =>
  Result.isFailure(result) ? result.failure.why : undefined

const key = (id: string) => ({
  id: `${id}#main-key`,
  owner: id,
  publicKeyPem: "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----"
})

describe("actors of other makes", () => {
  const of = (id: string, more: Record<string, unknown>) =>
    Result.getOrThrow(
      decodeActor(
        normal({
          ...{ id, type: "Person", preferredUsername: "ann", inbox: `${id}/inbox`, outbox: `${id}/outbox` },
          ...{ publicKey: key(id), url: id },
          ...more
        })
      )
    )

  it("are read", () => {
    const lemmy = of(`${origin}/c/films`, {
      type: "Group",
      name: "Films",
      summary: "<p>All about <strong>films</strong></p>",
      source: { content: "All about **films**", mediaType: "text/markdown" },
      attributedTo: `${origin}/c/films/moderators`,
      postingRestrictedToMods: false,
      endpoints: { sharedInbox: `${origin}/inbox` },
      icon: { type: "Image", url: `${origin}/pictrs/image/x.png` }
    })
    assert.deepStrictEqual(lemmy.owners, [`${origin}/c/films/moderators`])
    assert.strictEqual(lemmy.summary, "All about films")
    assert.deepStrictEqual(lemmy.avatars, [{ url: `${origin}/pictrs/image/x.png`, width: null, height: null }])
    const gotosocial = of(`${origin}/users/ann`, {
      publicKey: { ...key(`${origin}/users/ann`), id: `${origin}/users/ann/main-key` },
      followers: undefined,
      icon: undefined,
      url: [`${origin}/@ann`]
    })
    assert.strictEqual(gotosocial.keys[0]?.id, `${origin}/users/ann/main-key`)
    assert.deepStrictEqual([gotosocial.followers, gotosocial.page], [null, `${origin}/@ann`])
    const pixelfed = of(`${origin}/users/ann`, {
      url: [{ type: "Link", href: `${origin}/ann` }],
      icon: [`${origin}/a.jpg`]
    })
    assert.deepStrictEqual([pixelfed.page, pixelfed.avatars[0]?.url], [`${origin}/ann`, `${origin}/a.jpg`])
    const multikey = of(`${origin}/u/ann`, {
      publicKey: [
        key(`${origin}/u/ann`),
        { ...key(`${origin}/u/ann`), owner: `${origin}/u/eve` },
        "https://far.example/k"
      ],
      assertionMethod: {
        id: `${origin}/u/ann#ed`,
        type: "Multikey",
        controller: `${origin}/u/ann`,
        publicKeyMultibase: "z6Mk"
      }
    })
    assert.deepStrictEqual(
      multikey.keys.map(({ id, kind }) => [id, kind]),
      [
        [`${origin}/u/ann#main-key`, "pem"],
        [`${origin}/u/ann#ed`, "multibase"]
      ]
    )
  })
})

describe("videos", () => {
  const base = {
    id: `${origin}/videos/watch/1`,
    type: "Video",
    name: "One",
    attributedTo: [`${origin}/accounts/ann`, `${origin}/video-channels/c`],
    to: [publicCollection]
  }
  const of = (more: Record<string, unknown>) => decodeVideo(normal({ ...base, ...more }))

  it("have their chapters in themselves, or beside them", () => {
    const part = (name: string, startOffset: number) => ({ name, startOffset, endOffset: startOffset + 5 })
    const within = Result.getOrThrow(of({ hasParts: [part("Second", 5), part("First", 0)] }))
    const titles = within.chapters?.map(({ timecode, title }) => [timecode, title])
    assert.deepStrictEqual(titles, [
      [0, "First"],
      [5, "Second"]
    ])
    assert.isNull(within.chaptersUrl)
    assert.deepStrictEqual(Result.getOrThrow(of({ hasParts: [] })).chapters, [], "all taken away")
    const beside = Result.getOrThrow(of({ hasParts: `${base.id}/chapters` }))
    assert.deepStrictEqual([beside.chapters, beside.chaptersUrl], [null, `${base.id}/chapters`])
    assert.isNull(Result.getOrThrow(of({ hasParts: null })).chapters)
  })

  it("say when a live is announced to begin, in order and none twice", () => {
    const schedules = [
      { startDate: "2030-02-01T20:00:00Z" },
      { startDate: "2030-01-01T20:00:00+01:00" },
      { startDate: "2030-02-01T20:00:00.000Z" },
      { startDate: "soon" },
      { startDate: 5 },
      "2031-01-01T00:00:00Z"
    ]
    const live = (more: Record<string, unknown>) => Result.getOrThrow(of({ isLiveBroadcast: true, ...more })).schedules
    assert.deepStrictEqual(live({ schedules }), ["2030-01-01T19:00:00.000Z", "2030-02-01T20:00:00.000Z"])
    assert.deepStrictEqual(live({ schedules: schedules[0] }), ["2030-02-01T20:00:00.000Z"])
    assert.deepStrictEqual(live({}), [])
    const many = Array.from({ length: 100 }, (_, n) => ({ startDate: new Date(1.8e12 + n * 1000).toISOString() }))
    assert.lengthOf(live({ schedules: many }), 20)
    assert.deepStrictEqual(Result.getOrThrow(of({ schedules })).schedules, [], "of what is no live")
  })

  it("do without most of what they may have", () => {
    const video = Result.getOrThrow(of({}))
    assert.deepStrictEqual([video.duration, video.state, video.privacy, video.commentsPolicy], [0, 1, "public", 1])
    assert.deepStrictEqual([video.files, video.hls, video.tags, video.uuid], [[], null, [], null])
  })

  it("are cut to bounds", () => {
    const video = Result.getOrThrow(
      of({
        name: "n".repeat(5_000),
        duration: "PT99999999999S",
        views: -5,
        downloads: 1e300,
        uuid: "../../etc/passwd",
        category: { identifier: "2; drop table" },
        language: { identifier: "<script>" },
        published: "2026-99-99",
        aspectRatio: 1e9,
        state: 99,
        tag: Array.from({ length: 500 }, (_, at) => ({ type: "Hashtag", name: `#t${at}` })),
        content: "x".repeat(90_000),
        url: [
          { type: "Link", mediaType: "video/mp4", href: "javascript:alert(1)", height: 720 },
          { type: "Link", mediaType: "video/mp4", href: "https://user:pass@far.example/x.mp4", height: 720 },
          { type: "Link", mediaType: "video/mp4", href: "https://cdn.example;script-src/x.mp4", height: 720 },
          { type: "Link", mediaType: "text/html", href: "https://far.example/x" },
          {
            type: "Link",
            mediaType: "video/mp4",
            href: "https://cdn.example/x.mp4",
            height: "480",
            width: 854,
            fps: "30"
          }
        ]
      })
    )
    assert.deepStrictEqual([video.name.length, video.views, video.downloads, video.uuid], [120, 0, 0, null])
    assert.deepStrictEqual(
      [video.category, video.language, video.published, video.aspectRatio],
      [null, null, null, null]
    )
    assert.deepStrictEqual([video.tags.length, video.description?.length, video.state], [30, 10_000, 1])
    assert.deepStrictEqual(
      video.files.map(({ fps, resolution, url }) => [url, resolution, fps]),
      [["https://cdn.example/x.mp4", 480, 30]]
    )
  })

  it("have storyboards of a size that can be copied", () => {
    const sheet = (width: number, height: number, tileWidth = 192) => ({
      type: "Image",
      rel: ["storyboard"],
      url: [{ type: "Link", href: `${origin}/s.jpg`, width, height, tileWidth, tileHeight: 108, tileDuration: "PT1S" }]
    })
    const shown = (preview: unknown) => Result.getOrThrow(of({ preview })).storyboard?.width
    assert.strictEqual(shown([sheet(2_112, 1_188)]), 2_112)
    assert.isUndefined(shown([sheet(50_000, 50_000)]))
    assert.isUndefined(shown([sheet(960, 108, 50_000)]))
    assert.strictEqual(shown([sheet(50_000, 501), sheet(50_000, 500)]), 50_000)
  })

  it("say who may see them, and how", () => {
    const unlisted = Result.getOrThrow(of({ to: [], cc: [publicCollection], commentsEnabled: false, sensitive: true }))
    assert.deepStrictEqual([unlisted.privacy, unlisted.commentsPolicy, unlisted.nsfw], ["unlisted", 2, true])
    assert.strictEqual(Result.getOrThrow(of({ to: [], cc: [] })).privacy, "unlisted")
    for (const some of [{ to: [`${origin}/accounts/ann/followers`] }, { to: [], cc: `${origin}/accounts/eve` }]) {
      assert.strictEqual(why(of(some)), "a video that is not for everybody")
    }
    const flagged = Result.getOrThrow(of({ tag: [{ type: "SensitiveTag", name: "violent" }], to: "as:Public" }))
    assert.deepStrictEqual([flagged.privacy, flagged.nsfw, flagged.nsfwFlags], ["public", true, 1])
  })

  it("belong to somebody of their origin", () => {
    assert.match(why(of({ attributedTo: [] }))!, /of nobody/)
    assert.match(why(of({ attributedTo: ["https://victim.example/accounts/x"] }))!, /another origin/)
    assert.match(why(of({ attributedTo: Array.from({ length: 50 }, (_, at) => `${origin}/a/${at}`) }))!, /of nobody/)
    assert.match(why(of({ name: " " }))!, /without name/)
  })
})

describe("notes and copies", () => {
  const note = {
    id: `${origin}/n/1`,
    type: "Note",
    attributedTo: `${origin}/u/ann`,
    inReplyTo: "https://ours.example/v/1"
  }

  it("are for everybody, have words and an author of their origin", () => {
    const of = (more: Record<string, unknown>) =>
      decodeNote(normal({ ...note, to: ["as:Public"], content: "<p>Hi</p>", ...more }))
    assert.strictEqual(Result.getOrThrow(of({})).text, "Hi")
    assert.strictEqual(Result.getOrThrow(of({ content: "*a* < b", mediaType: "text/markdown" })).text, "*a* < b")
    assert.match(why(of({ to: [`${origin}/u/ann/followers`] }))!, /not for everybody/)
    assert.match(why(of({ content: "<p> </p><script>x</script>" }))!, /without text/)
    assert.match(why(of({ attributedTo: "https://victim.example/u" }))!, /nobody of its origin/)
    assert.match(why(of({ inReplyTo: null }))!, /replies to nothing/)
  })

  it("are served from where they come", () => {
    const copy = (href: string) =>
      decodeCacheFile(
        normal({
          ...{
            id: `${origin}/redundancy/1`,
            type: "CacheFile",
            object: "https://ours.example/v/1",
            expires: "2026-12-01T00:00:00Z"
          },
          url: { type: "Link", mediaType: "application/x-mpegURL", href }
        })
      )
    assert.strictEqual(
      Result.getOrThrow(copy(`${origin}/static/redundancy/m.m3u8`)).expires,
      "2026-12-01T00:00:00.000Z"
    )
    assert.isTrue(Result.isFailure(copy("https://victim.example/m.m3u8")))
  })
})

describe("text of HTML", () => {
  it("keeps words, lines and links, and nothing else", () => {
    for (const [html, text] of [
      ["<p>one</p><p>two<br>three</p>", "one\n\ntwo\nthree"],
      ["a &lt;b&gt; &amp;amp; &#x1F600; &#0; &nope;", "a <b> &amp; 😀  &nope;"],
      ['<a href="https://x.example/a_(b)">words [x]</a>', "[words \\[x\\]](https://x.example/a_%28b%29)"],
      [
        '<a href="https://x.example/abc"><span class="invisible">https://</span>x.example/abc</a>',
        "https://x.example/abc"
      ],
      ['<a href="javascript:alert(1)">click</a>', "click"],
      ['<a class="mention hashtag" href="https://x.example/tags/y">#<span>y</span></a>', "#y"],
      ["<ul><li>a</li><li>b</li></ul>", "- a\n\n- b"],
      ["x<script>alert(1)</script><!-- <p>no</p> -->y<style>p{}", "xy"],
      ["1 < 2 and <3", "1 < 2 and <3"],
      ["<img src=x onerror=alert(1)>", ""]
    ] as const) {
      assert.strictEqual(textOfHtml(html), text, html)
    }
    assert.isTrue(seemsHtml("<p>x</p>"))
    assert.isFalse(seemsHtml("a < b > c **d**"))
  })

  it("takes time in proportion to its length (FET-07)", () => {
    // Of three million characters: what grows with their square does not end within the test's time.
    for (const part of [
      "<a href='x",
      "<",
      "&",
      "<!--",
      "<p> ",
      '<a href="https://x.example/">',
      "<script>",
      " \n",
      "</a"
    ]) {
      textOfHtml(part.repeat(3_000_000 / part.length))
    }
  })
})

describe("captions", () => {
  it("are read as text, which is what others up to 6.x send, and as a list of links", () => {
    const url = `${origin}/fr.vtt`
    const playlist = { type: "Link", mediaType: "application/x-mpegURL", href: `${origin}/fr.m3u8` }
    for (const form of [url, [{ type: "Link", mediaType: "text/vtt", href: url }], [playlist, url]]) {
      const [caption] = readCaptions([{ identifier: "fr", name: "French", url: form }] as never)
      assert.deepStrictEqual(caption, { language: "fr", url, automaticallyGenerated: false })
    }
    assert.deepStrictEqual(readCaptions([{ identifier: "fr", name: "French", url: [playlist] }] as never), [])
  })
})

describe("times", () => {
  it("are bounded", () => {
    assert.strictEqual(secondsOf("P1DT2H3M4S"), 93_784)
    for (const wrong of ["PT", "5", "PT1e9S", "P1Y", `PT${"1".repeat(50)}S`])
      assert.notStrictEqual(secondsOf(wrong), 5, wrong)
    assert.strictEqual(timeOf("2026-11-21T09:25:54+01:00"), "2026-11-21T08:25:54.000Z")
    for (const wrong of ["", "yesterday", "+275760-09-13T00:00:00Z", 5, null])
      assert.isNull(timeOf(wrong as never), String(wrong))
  })
})
