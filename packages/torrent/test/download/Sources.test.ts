import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import { origin } from "../support/Origin.ts"
import { downloading, folder } from "../support/Downloading.ts"
import { infoOf, torrentOf } from "../support/MakeTorrent.ts"

const maxBytes = 100_000_000
const pieceLength = 65_536
const video = randomBytes(9_000_001)
const info = infoOf([{ path: ["video.mp4"], bytes: video }], pieceLength)

/** Serves parts of files as web servers do. */
const serving =
  (files: Readonly<Record<string, Uint8Array>>) => (request: IncomingMessage, response: ServerResponse) => {
    const bytes = files[decodeURI(request.url ?? "")]
    const type = (request.url ?? "").endsWith(".torrent") ? "application/x-bittorrent" : "video/mp4"
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")
    if (bytes === undefined) return void response.writeHead(404).end()
    if (range === null) return void response.writeHead(200, { "content-type": type }).end(bytes)
    const [first, last] = [Number(range[1]), Number(range[2])]
    response
      .writeHead(206, { "content-type": type, "content-range": `bytes ${first}-${last}/${bytes.length}` })
      .end(bytes.subarray(first, last + 1))
  }

describe("web seeds", () => {
  it.live("give a whole torrent, in parts", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const place = yield* folder
      const host = yield* origin(serving({ "/files/video.mp4": video }))
      for (const [n, seed] of ["/files/", "/files/video.mp4"].entries()) {
        const { torrent } = torrentOf(info, { "url-list": host.url(seed) })
        const file = join(place, String(n))
        const got = yield* downloads.download({ source: { torrent }, file, maxBytes })
        assert.deepStrictEqual(got, { name: "video.mp4", size: video.length })
        assert.isTrue(video.equals(yield* Effect.promise(() => readFile(file))))
      }
      assert.isTrue(host.seen.every((it) => /^bytes=\d+-\d+$/.test(it.headers.range ?? "")))
    }).pipe(Effect.scoped)
  )

  it.live("give the one video between other files, and the torrent file of a magnet address", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const place = yield* folder
      const part = video.subarray(0, 200_001)
      const files = [
        { path: ["read me.txt"], bytes: randomBytes(1_001) },
        { path: ["sub folder", "the film.mkv"], bytes: part },
        { path: ["Sample", "film.mkv"], bytes: randomBytes(70_000) },
        { path: ["cover.jpg"], bytes: randomBytes(5_000) }
      ]
      const made = torrentOf(infoOf(files, pieceLength, "a film"))
      const host = yield* origin(
        serving({
          "/video.torrent": made.torrent,
          ...Object.fromEntries(files.map((it) => [`/seed/a film/${it.path.join("/")}`, it.bytes]))
        })
      )
      const magnet = made.magnet(
        `&xs=${encodeURIComponent(host.url("/video.torrent"))}&ws=${encodeURIComponent(host.url("/seed"))}`
      )
      const { torrent } = torrentOf(infoOf(files, pieceLength, "a film"), { "url-list": [host.url("/seed")] })
      for (const [n, source] of [{ magnet }, { torrent }].entries()) {
        const file = join(place, String(n))
        const got = yield* downloads.download({ source, file, maxBytes })
        assert.deepStrictEqual(got, { name: "the film.mkv", size: part.length })
        assert.isTrue(part.equals(yield* Effect.promise(() => readFile(file))))
      }
      // The rest is left where no piece of the video has it.
      assert.isTrue(host.seen.every((it) => !it.path.includes("cover")))
    }).pipe(Effect.scoped)
  )

  it.live("are left when they have another file, or none", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const place = yield* folder
      const host = yield* origin(serving({ "/other": randomBytes(video.length) }))
      for (const path of ["/other", "/none"]) {
        const { torrent } = torrentOf(info, { "url-list": host.url(path) })
        const failed = yield* Effect.flip(downloads.download({ source: { torrent }, file: join(place, "1"), maxBytes }))
        assert.deepInclude(failed, { _tag: "TorrentUnreachable", phase: "sources" }, path)
      }
      assert.strictEqual(host.seen.filter((it) => it.path === "/none").length, 1)

      // All of it instead of a part, and another part than was asked for: neither is read.
      const other = yield* origin((request, response) => {
        if (request.url === "/whole") response.writeHead(200, { "content-type": "video/mp4" }).end(video)
        else response.writeHead(206, { "content-range": `bytes 1-4194304/${video.length}` }).end(video.subarray(1))
      })
      for (const path of ["/whole", "/shifted"]) {
        const { torrent } = torrentOf(info, { "url-list": other.url(path) })
        const failed = yield* Effect.flip(downloads.download({ source: { torrent }, file: join(place, "1"), maxBytes }))
        assert.deepInclude(failed, { _tag: "TorrentUnreachable", phase: "sources" }, path)
      }
      assert.strictEqual(other.seen.length, 2)
    }).pipe(Effect.scoped)
  )
})

describe("a torrent without sources", () => {
  it.live("says at once when nobody is named at all", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const place = yield* folder
      for (const extra of ["", "&tr=wss%3A%2F%2Ftracker.example"]) {
        const source = { magnet: torrentOf(info).magnet(extra) }
        const failed = yield* Effect.flip(downloads.download({ source, file: join(place, "1"), maxBytes }))
        assert.deepInclude(failed, { _tag: "TorrentUnreachable", phase: "sources" })
      }
    }).pipe(Effect.scoped)
  )
})
