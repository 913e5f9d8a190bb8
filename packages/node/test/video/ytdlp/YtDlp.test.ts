import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { GuardedProxy } from "@kinora/federation/fetch/GuardedProxy"
import { Media } from "@kinora/media/Media"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { YtDlp } from "@kinora/media/ytdlp/YtDlp"
import { YtDlpProgram } from "@kinora/media/ytdlp/YtDlpProgram"
import { Duration, Effect, Fiber, FileSystem, Layer, Option } from "effect"
import { readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { until } from "../../../../federation/test/fetch/support/Fetching.ts"
import { Clips } from "../../../../media/test/support/MediaTest.ts"
import { offeredPowers } from "../../../../media/test/support/Offered.ts"
import { certificateFile, elsewhere, feed, LoopbackProxy } from "./Elsewhere.ts"

const settings = Layer.effect(
  MediaSettings,
  Effect.map(certificateFile, (certificates) => ({
    ...defaultMediaSettings,
    certificates,
    externalTimeout: Duration.seconds(90)
  }))
)

const World = Layer.mergeAll(Media.layer.pipe(Layer.provide(settings)), LoopbackProxy, Clips.layer).pipe(
  Layer.provideMerge(NodeServices.layer)
)

const page = (body: string, head = "") => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

layer(World, { excludeTestServices: true, timeout: 60_000 })("yt-dlp", (it) => {
  const site = (listener: RequestListener) =>
    Effect.gen(function* () {
      const host = yield* elsewhere(listener)
      const run = yield* (yield* GuardedProxy).open({ maxBytes: 50 * 1024 ** 2 })
      return { host, ask: (path: string) => ({ url: host.url(path), proxy: run.url }) }
    })

  const html =
    (text: string): RequestListener =>
    (_, response) =>
      void response.setHeader("content-type", "text/html").end(text)

  it.effect(
    "is installed, tried and confined",
    () =>
      Effect.gen(function* () {
        assert.match(Option.getOrThrow(yield* (yield* YtDlp).version), /^\d{4}\.\d\d\.\d\d/)
        const found = yield* (yield* YtDlpProgram).find
        assert.deepStrictEqual(found.powers, offeredPowers())
      }),
    120_000
  )

  it.effect(
    "says what a page says, cleaned and cut",
    () =>
      Effect.gen(function* () {
        const long = "x".repeat(400)
        const head = `<meta property="og:title" content="A&#1; ${"title ".repeat(40)}"><meta property="og:description" content="One ${long}">`
        const { ask } = yield* site(html(page(`<video src="/a.mp4"></video>`, `${head}<title>T \u202e${long}</title>`)))
        const video = yield* (yield* YtDlp).describe(ask("/page"))
        assert.strictEqual(video.url, ask("/page").url)
        assert.isAtMost(video.title?.length ?? 0, 120)
        assert.notMatch(video.title ?? "", /\p{Cc}|\u202e/u)
        assert.isFalse(video.isLive)
      }),
    120_000
  )

  it.effect(
    "lists a feed in its order with its days, and a page with several videos",
    () =>
      Effect.gen(function* () {
        const at = Date.UTC(2025, 10, 3, 12)
        const items = ["c", "b", "a"].map((name, i) => ({ name, at: at - i * 86_400_000 }))
        const { ask, host } = yield* site((request, response) => {
          if (request.url === "/feed") {
            return response.setHeader("content-type", "application/rss+xml").end(feed(host.url(""), items))
          }
          return response
            .setHeader("content-type", "text/html")
            .end(page(`<video src="/1.mp4"></video><video src="/2.mp4"></video>`))
        })
        const yt = yield* YtDlp
        assert.deepStrictEqual(yield* yt.list({ ...ask("/feed"), count: 2 }), [
          { url: host.url("/c.mp4"), publishedAt: at },
          { url: host.url("/b.mp4"), publishedAt: at - 86_400_000 }
        ])
        const two = yield* yt.list({ ...ask("/page"), count: 10 })
        assert.deepStrictEqual(
          two.map((it) => it.url),
          [host.url("/1.mp4"), host.url("/2.mp4")]
        )
      }),
    120_000
  )

  it.effect(
    "fetches a video into its folder, and tells how far it is",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const clip = readFileSync(yield* (yield* Clips).clip("plain.mp4"))
        const { ask } = yield* site((request, response) => {
          response.setHeader("content-type", "video/mp4").setHeader("content-length", clip.length)
          response.end(request.method === "HEAD" ? undefined : clip)
        })
        const folder = yield* (yield* Clips).folder
        const fractions: Array<number> = []
        const { path } = yield* (yield* YtDlp).download({
          ...ask("/v.mp4"),
          folder,
          maxBytes: clip.length,
          maxHeight: 1080,
          onProgress: (fraction) => Effect.sync(() => void fractions.push(fraction))
        })
        assert.strictEqual(path, `${folder}/video.mp4`)
        assert.deepEqual(Buffer.from(yield* fs.readFile(path)), clip)
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["video.mp4"])
        assert.strictEqual(fractions.at(-1), 1)
        assert.deepStrictEqual(
          fractions,
          fractions.toSorted((a, b) => a - b)
        )
      }),
    120_000
  )

  it.effect(
    "stops at the size it was given, whether the site tells the truth or not",
    () =>
      Effect.gen(function* () {
        const { ask } = yield* site((request, response) => {
          response.setHeader("content-type", "video/mp4")
          if (request.url === "/honest.mp4") response.setHeader("content-length", 3_000_000)
          response.end(request.method === "HEAD" ? undefined : Buffer.alloc(3_000_000))
        })
        for (const path of ["/honest.mp4", "/endless.mp4"]) {
          const folder = yield* (yield* Clips).folder
          const refusal = yield* Effect.flip(
            (yield* YtDlp).download({ ...ask(path), folder, maxBytes: 1_000_000, maxHeight: 1080 })
          )
          assert.strictEqual(refusal._tag, "ExternalTooLarge", path)
        }
      }),
    120_000
  )

  it.effect(
    "refuses what is no video, and what leads into the network of the machine",
    () =>
      Effect.gen(function* () {
        const { ask } = yield* site((request, response) => {
          if (request.url === "/inside") return response.writeHead(302, { location: "https://10.0.0.1/v.mp4" }).end()
          if (request.url === "/plain") return response.writeHead(302, { location: "http://127.0.0.1:9/v.mp4" }).end()
          if (request.url === "/file") return response.writeHead(302, { location: "file:///etc/passwd" }).end()
          if (request.url === "/text") return response.setHeader("content-type", "text/html").end(page("Words"))
          if (request.url === "/login") return response.writeHead(401).end()
          return response.writeHead(404).end()
        })
        const yt = yield* YtDlp
        const told = (path: string) =>
          Effect.map(Effect.flip(yt.describe(ask(path))), (error) =>
            error._tag === "ExternalUnusable" ? error.reason : `${error._tag}: ${error.message}`
          )
        const answers = yield* Effect.forEach(["/text", "/gone", "/login", "/inside", "/plain", "/file"], told, {
          concurrency: 4
        })
        assert.deepStrictEqual(answers.slice(0, 4), [
          "none",
          "none",
          "private",
          "YtDlpFailed: The address could not be reached"
        ])
        for (const answer of answers.slice(4)) assert.match(answer, /^YtDlpFailed: /)
      }),
    120_000
  )

  it.effect(
    "does not fetch what is protected against copies",
    () =>
      Effect.gen(function* () {
        const key = `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"`
        const { ask } = yield* site((_, response) =>
          response
            .setHeader("content-type", "application/vnd.apple.mpegurl")
            .end(`#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:4\n${key}\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST\n`)
        )
        const folder = yield* (yield* Clips).folder
        const refusal = yield* Effect.flip(
          (yield* YtDlp).download({ ...ask("/drm.m3u8"), folder, maxBytes: 1e6, maxHeight: 720 })
        )
        assert.deepInclude(refusal, { _tag: "ExternalUnusable", reason: "protected" })
      }),
    120_000
  )

  it.effect(
    "reads no more of a page than it should",
    () =>
      Effect.gen(function* () {
        const item = `<item><title>${"t".repeat(60_000)}</title><enclosure url="https://127.0.0.1/x.mp4" type="video/mp4"/></item>`
        const { ask } = yield* site((_, response) =>
          response
            .setHeader("content-type", "application/rss+xml")
            .end(`<?xml version="1.0"?><rss version="2.0"><channel>${item.repeat(200)}</channel></rss>`)
        )
        const few = yield* (yield* YtDlp).list({ ...ask("/feed"), count: 10 })
        assert.strictEqual(few.length, 1)
      }),
    120_000
  )

  it.effect(
    "ends with all it has started when nobody waits for it any more",
    () =>
      Effect.gen(function* () {
        const { ask, host } = yield* site(() => {})
        const asking = yield* Effect.forkChild((yield* YtDlp).describe(ask("/silent-one")))
        yield* until(() => host.seen.length > 0)
        yield* Fiber.interrupt(asking)
        const fs = yield* FileSystem.FileSystem
        const ids = (yield* fs.readDirectory("/proc")).filter((name) => /^\d+$/.test(name))
        const lines = yield* Effect.forEach(ids, (id) =>
          Effect.orElseSucceed(fs.readFileString(`/proc/${id}/cmdline`), () => "")
        )
        assert.isFalse(lines.some((line) => line.includes("silent-one")))
        yield* until(() => host.connections().open === 0)
      }),
    120_000
  )
})
