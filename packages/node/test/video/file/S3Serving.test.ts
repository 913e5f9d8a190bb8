import { assert, layer } from "@effect/vitest"
import { putBytes } from "@kinora/storage/platform/objects/ObjectBytes"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { S3Failure } from "@kinora/storage/platform/objects/s3/S3Failure"
import { Cause, Effect, Exit, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { S3Setup, S3Store } from "../../../../storage/test/support/objects/S3Store.ts"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { serveS3, type S3File } from "../../../src/video/file/S3Serving.ts"

const uuid = "0b6c9a3e-6f0f-4f1e-9c39-6a6f3c1f0d11"
const open: ObjectKey = { bucket: "web_videos", name: "open.mp4" }
const hidden: ObjectKey = { bucket: "web_videos_private", name: "hidden.mp4" }
const playlist: ObjectKey = { bucket: "streaming_playlists", name: `${uuid}/master.m3u8` }
const bytes = randomBytes(300_000)

interface Asked {
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly file?: Partial<S3File>
}

/** The whole answer to a request for an object. */
const ask = Effect.fnUntraced(function* (
  key: ObjectKey,
  { file, headers = {}, method = "GET", url = "/x" }: Asked = {}
) {
  const objects = yield* ObjectStore
  const place = yield* Effect.orDie(objects.place(key))
  if (place._tag !== "S3") return yield* Effect.die("on disk")
  const request = HttpServerRequest.fromWeb(new Request(`http://localhost${url}`, { method, headers }))
  const described = { contentType: "video/mp4", cacheControl: "private, no-store", proxied: true, ...file }
  const response = HttpServerResponse.toWeb(yield* serveS3(objects, request, key, place, described))
  const body = yield* Effect.promise(() => response.arrayBuffer())
  return { status: response.status, headers: response.headers, body: Buffer.from(body) }
}, Effect.scoped)

const services = S3Store.pipe(
  Layer.tap((context) =>
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      for (const key of [open, hidden]) yield* putBytes(objects, key, bytes)
      yield* putBytes(objects, playlist, "#EXTM3U\n")
    }).pipe(Effect.provideContext(context))
  ),
  Layer.provideMerge(TestDatabase)
)

layer(services, { excludeTestServices: true })("objects in object storage are served", (it) => {
  it.effect("by a redirect where everybody may read them", () =>
    Effect.gen(function* () {
      const { server } = yield* S3Setup
      for (const method of ["GET", "HEAD"]) {
        const { headers, status } = yield* ask(open, { method })
        assert.strictEqual(status, 302)
        assert.strictEqual(headers.get("location"), `${server.endpoint}/videos/web/open.mp4`)
        assert.strictEqual(headers.get("cache-control"), "public, max-age=300")
      }
    })
  )

  it.effect("by a signed address for downloads, and for private files where they are not proxied", () =>
    Effect.gen(function* () {
      const saved = yield* ask(open, { file: { contentDisposition: 'attachment; filename="a.mp4"' } })
      assert.strictEqual(saved.status, 302)
      assert.include(saved.headers.get("location")!, "response-content-disposition=attachment")
      const signed = yield* ask(hidden, { file: { proxied: false } })
      assert.strictEqual(signed.status, 302)
      assert.strictEqual(signed.headers.get("cache-control"), "private, no-store")
      const location = new URL(signed.headers.get("location")!)
      assert.strictEqual(location.searchParams.get("X-Amz-Expires"), "600")
      assert.isTrue(location.searchParams.has("X-Amz-Signature"))
    })
  )

  it.effect("through the node in ranges, by the rules of local files", () =>
    Effect.gen(function* () {
      const { server } = yield* S3Setup
      const whole = yield* ask(hidden)
      assert.strictEqual(whole.status, 200)
      assert.isTrue(bytes.equals(whole.body))
      const etag = whole.headers.get("etag")!
      server.proxy.sent.clear()
      const part = yield* ask(hidden, { headers: { range: "bytes=100-199", "if-range": etag } })
      assert.deepStrictEqual([part.status, part.headers.get("content-range")], [206, "bytes 100-199/300000"])
      assert.isTrue(bytes.subarray(100, 200).equals(part.body))
      assert.strictEqual(server.proxy.sent.get("/videos/web/private/hidden.mp4"), 100)
      const last = yield* ask(hidden, { headers: { range: "bytes=-5" } })
      assert.isTrue(bytes.subarray(-5).equals(last.body))
      const several = yield* ask(hidden, { headers: { range: "bytes=0-1,10-11" } })
      assert.match(several.headers.get("content-type")!, /^multipart\/byteranges/)
      assert.strictEqual((yield* ask(hidden, { headers: { "if-none-match": etag } })).status, 304)
      assert.strictEqual((yield* ask(hidden, { headers: { range: "bytes=0-9", "if-range": '"x"' } })).status, 200)
      const head = yield* ask(hidden, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.headers.get("content-length"), head.body.length], [200, "300000", 0])
      const beyond = yield* Effect.flip(ask(hidden, { headers: { range: "bytes=300000-" } }))
      assert.strictEqual(beyond._tag, "RangeNotSatisfiable")
      const many = `bytes=${Array.from({ length: 500 }, (_, at) => `${at}-${at}`).join(",")}`
      assert.strictEqual((yield* ask(hidden, { headers: { range: many } })).body.length, bytes.length)
    })
  )

  it.effect("by the node to clients that follow no redirects", () =>
    Effect.gen(function* () {
      const { body, status } = yield* ask(open, { file: { here: true, proxied: false } })
      assert.strictEqual(status, 200)
      assert.isTrue(bytes.equals(body))
      const asked = yield* ask(open, { url: "/x?videoFileToken=a&redirect=false" })
      assert.strictEqual(asked.status, 200)
      assert.isTrue(bytes.equals(asked.body))
      assert.strictEqual((yield* ask(open, { url: "/x?redirect=falsely" })).status, 302)
    })
  )

  it.effect("as playlists by the node, wherever they are", () =>
    Effect.gen(function* () {
      const { body, status } = yield* ask(playlist)
      assert.deepStrictEqual([status, body.toString()], [200, "#EXTM3U\n"])
    })
  )

  it.effect("not at all while the storage is away: before the answer begins", () =>
    Effect.gen(function* () {
      const { server } = yield* S3Setup
      server.proxy.fault = () => ({ kind: "status", status: 503, code: "SlowDown" })
      const exit = yield* Effect.exit(ask(hidden))
      server.proxy.fault = () => undefined
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof S3Failure)
    })
  )

  it.effect("whole where connections to the storage break", () =>
    Effect.gen(function* () {
      const { server } = yield* S3Setup
      let cuts = 0
      server.proxy.fault = ({ method }) =>
        method === "GET" && cuts++ < 2 ? { kind: "cut answer", after: 90_000 } : undefined
      const { body } = yield* ask(hidden)
      server.proxy.fault = () => undefined
      assert.isAtLeast(cuts, 2)
      assert.isTrue(bytes.equals(body))
    })
  )
})
