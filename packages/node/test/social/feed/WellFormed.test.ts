import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith"
import { otherComments, otherVideos } from "../../../src/social/feed/AtomAndJson.ts"
import type { CommentEntry, FeedHead, VideoEntry } from "../../../src/social/feed/FeedShape.ts"
import { podcastFeed, podcastGuid } from "../../../src/social/feed/PodcastFeed.ts"
import { rssComments, rssVideos } from "../../../src/social/feed/RssFeed.ts"
import { readFeeds } from "./Validators.ts"

const origin = "https://videos.example"

/** What people have put into names to break feeds. */
const nasty = [
  "]]>",
  "a ]]> b ]]> c",
  "&",
  "&amp;",
  "&amp;amp;",
  "Science & Technology",
  "<script>alert(1)</script>",
  "</title></item>",
  '" onload="x',
  "\u0000\u0001\u0008\u000b\u001f\u007f\u0085\u009f",
  "\ufffe\uffff\ufdd0",
  "\ud800",
  "a\udfffb",
  "\u202etxt.exe\u2066",
  "😀 é 漢 \u{10ffff}",
  "<!-- -- -->",
  "<?php ?>",
  "<![CDATA[x]]>",
  "\r\n\t",
  ""
] as const

const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes))
)

const head = fc
  .record({ title: text, description: text, author: text })
  .map(({ author, description, title }): FeedHead => ({
    title,
    description,
    author,
    link: `${origin}/c/x/videos`,
    self: `${origin}/feeds/videos.xml?search=${encodeURIComponent("a&b")}`,
    image: `${origin}/client/icons/icon-192.png`,
    updatedAt: "2026-11-22T00:00:00.000Z",
    instance: { name: title, description, origin }
  }))

const entry = fc
  .record({ title: text, summary: text, name: text, tags: fc.array(text, { maxLength: 3 }) })
  .map(({ name, summary, tags, title }): VideoEntry => ({
    title,
    summary,
    html: "<p>Hello &amp; welcome</p>",
    link: `${origin}/w/7BWZSgfA3s4VFoKbTaqKk4`,
    watchUrl: `${origin}/videos/watch/359bc1e8-0948-4d06-8fd0-1c84a729cb8d`,
    embedUrl: `${origin}/videos/embed/359bc1e8-0948-4d06-8fd0-1c84a729cb8d`,
    publishedAt: "2026-11-22T00:00:00.000Z",
    updatedAt: "2026-11-22T00:00:00.000Z",
    category: { id: 15, label: "Science & Technology" },
    tags,
    channel: { name, url: `${origin}/c/x/videos` },
    account: { name, url: `${origin}/a/x/video-channels` },
    views: 1,
    nsfw: false,
    isLive: false,
    duration: 60,
    thumbnails: [{ fileUrl: `${origin}/t.jpg?a=1&b=2`, width: 850, height: 480 }],
    enclosure: {
      url: `${origin}/download/videos/generate/x?videoFileIds=1&videoFileIds=2`,
      type: "video/mp4",
      size: 9
    },
    files: [
      {
        url: `${origin}/f.mp4`,
        type: "video/mp4",
        size: 9,
        resolution: 720,
        label: "720p",
        fps: 25,
        torrentUrl: `${origin}/f.torrent`,
        magnetUri: "magnet:?xs=a&dn=b",
        hasVideo: true
      }
    ],
    webVideos: 1,
    playlistUrl: `${origin}/m.m3u8`,
    captions: [{ language: "en", url: `${origin}/en.vtt`, type: "text/vtt" }],
    chaptersUrl: `${origin}/feeds/podcast/chapters/x.json`,
    trackers: []
  }))

const comment = fc.record({ title: text, name: text }).map(({ name, title }): CommentEntry => ({
  id: `${origin}/videos/watch/x/comments/1`,
  title,
  link: `${origin}/w/7BWZSgfA3s4VFoKbTaqKk4;threadId=1`,
  publishedAt: "2026-11-22T00:00:00.000Z",
  html: "<p>]]&gt;</p>",
  author: { name, url: `${origin}/a/x/video-channels` }
}))

/** Texts with which nothing is left out: what is read is what was written. */
const plain = fc.constantFrom("a ]]> b ]]> c", "&amp;", "&amp;amp; & &lt;", "1 < 2 > 0", "\"quoted\" 'text'", "é 漢 😀")

describe("feeds of whatever people write (WEB-07)", () => {
  it("are well-formed XML that readers accept, and JSON", () => {
    const documents: Array<string> = []
    fc.assert(
      fc.property(
        head,
        fc.array(entry, { maxLength: 3 }),
        fc.array(comment, { maxLength: 3 }),
        (head, entries, comments) => {
          documents.push(
            rssVideos(head, entries),
            rssComments(head, comments),
            otherVideos("atom", head, entries),
            otherComments("atom", head, comments),
            podcastFeed(
              { head, person: { name: head.author, url: head.link, image: undefined }, email: undefined },
              entries
            )
          )
          for (const json of [otherVideos("json", head, entries), otherComments("json", head, comments)]) {
            assert.isTrue(json.isWellFormed())
            parseJsonFeed(JSON.parse(json))
          }
        }
      ),
      { numRuns: 60 }
    )
    for (const document of documents) {
      if (document.includes("<feed ")) parseAtomFeed(document)
      else parseRssFeed(document)
    }
    for (const read of readFeeds(documents)) assert.isNull(read.bozo)
  })

  it("say what was written", () => {
    fc.assert(
      fc.property(plain, head, entry, (title, head, entry) => {
        const named = { ...entry, title, channel: { ...entry.channel, name: title } }
        const titled = { ...head, title }
        const [rss, atom] = readFeeds([rssVideos(titled, [named]), otherVideos("atom", titled, [named])])
        assert.strictEqual(rss!.title, title)
        assert.strictEqual(atom!.title, title)
        const json = JSON.parse(otherVideos("json", titled, [named])) as { title: string; items: [{ title: string }] }
        assert.strictEqual(json.title, title)
        assert.strictEqual(json.items[0].title, title)
        const found = parseRssFeed(rssVideos(titled, [named]))
        assert.strictEqual(found.items?.[0]?.media?.title?.value, title)
      }),
      { numRuns: 6, examples: [] }
    )
  })

  it("have the id the podcast namespace gives for an address", () => {
    assert.strictEqual(podcastGuid("https://mp3s.nashownotes.com/pc20rss.xml"), "917393e3-1b1e-5cef-ace4-edaa54e1f810")
  })
})
