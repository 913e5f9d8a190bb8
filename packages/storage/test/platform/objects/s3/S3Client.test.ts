import { afterAll, assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Redacted, Result, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { get } from "node:http"
import { mkdtempSync, rmSync } from "node:fs"
import { copyFile, readdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeS3Client, type S3Client } from "../../../../src/platform/objects/s3/S3Client.ts"
import type { S3Settings } from "../../../../src/platform/objects/s3/S3Settings.ts"
import type { UploadLog, UploadSoFar } from "../../../../src/platform/objects/s3/S3Upload.ts"
import { makeS3Server, s3Keys, type S3Server } from "../../../support/objects/S3Server.ts"

const folder = mkdtempSync(join(tmpdir(), "kinora-s3-files-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bucket = "videos"
const partBytes = 64 * 1024

class Tried extends Context.Service<
  Tried,
  { readonly server: S3Server; readonly client: S3Client; readonly settings: S3Settings }
>()("test/Tried") {
  static readonly layer = Layer.effect(
    Tried,
    Effect.gen(function* () {
      const server = yield* makeS3Server([bucket])
      const settings: S3Settings = {
        endpoint: server.endpoint,
        region: "us-east-1",
        accessKeyId: s3Keys.accessKeyId,
        secretAccessKey: Redacted.make(s3Keys.secretAccessKey),
        pathStyle: true,
        partBytes,
        attempts: 3,
        silence: Duration.seconds(2)
      }
      return Tried.of({ server, settings, client: yield* makeS3Client(settings) })
    })
  )
}

const noLog: UploadLog<never> = {
  found: Effect.succeed(undefined),
  begin: () => Effect.void,
  part: () => Effect.void,
  end: Effect.void
}

/** A file of so many random bytes. */
const fileOf = (name: string, bytes: Buffer) =>
  Effect.promise(async () => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  })

const put = Effect.fnUntraced(function* (client: S3Client, key: string, bytes: Buffer, log: UploadLog<never> = noLog) {
  const path = yield* fileOf(key.replaceAll("/", "_"), bytes)
  const digests = yield* client.digests(path, bytes.length)
  yield* client.put({ bucket, key, path, digests, headers: { "content-type": "video/mp4" } }, log)
})

const bytesOf = (client: S3Client, key: string, start: number, end: number) =>
  Effect.map(Stream.runCollect(client.read(bucket, key, { start, end })), (parts) => Buffer.concat(parts))

/** What anybody gets from an address. */
const fetched = (url: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number; readonly disposition: string | undefined; readonly text: string }>(
        (resolve, reject) => {
          get(url, (response) => {
            let text = ""
            response.setEncoding("utf8").on("data", (part: string) => (text += part))
            response.on("end", () =>
              resolve({ status: response.statusCode ?? 0, disposition: response.headers["content-disposition"], text })
            )
          }).on("error", reject)
        }
      )
  )

/** Does `work` while the first `times` requests that match fail so. Answers how many did. */
const failing = Effect.fnUntraced(function* <A, E>(
  { proxy }: S3Server,
  times: number,
  fault: (request: (typeof proxy.seen)[number]) => ReturnType<typeof proxy.fault>,
  work: Effect.Effect<A, E>
) {
  let failed = 0
  proxy.fault = (request) => {
    if (failed >= times) return undefined
    const found = fault(request)
    if (found !== undefined) failed++
    return found
  }
  const result = yield* Effect.result(work)
  proxy.fault = () => undefined
  return { result, failed }
})

layer(Tried.layer, { excludeTestServices: true })("an S3 client", (it) => {
  it.effect("stores, reads in ranges, lists, copies and removes objects", () =>
    Effect.gen(function* () {
      const { client } = yield* Tried
      const bytes = randomBytes(200_000)
      yield* put(client, "one/a.mp4", bytes)
      yield* put(client, "one/empty.mp4", Buffer.alloc(0))
      assert.strictEqual((yield* client.find(bucket, "one/a.mp4"))?.size, bytes.length)
      assert.isUndefined(yield* client.find(bucket, "one/none.mp4"))
      assert.isTrue(bytes.equals(yield* bytesOf(client, "one/a.mp4", 0, bytes.length - 1)))
      assert.isTrue(bytes.subarray(1000, 70_001).equals(yield* bytesOf(client, "one/a.mp4", 1000, 70_000)))
      yield* client.copy({ bucket, key: "one/a.mp4", size: bytes.length }, { bucket, key: "two/b c.mp4" }, {})
      assert.isTrue(bytes.equals(yield* bytesOf(client, "two/b c.mp4", 0, bytes.length - 1)))
      const listed = yield* Stream.runCollect(client.list(bucket, "one/"))
      assert.deepStrictEqual(
        listed.map(({ key, size }) => [key, size]),
        [
          ["one/a.mp4", 200_000],
          ["one/empty.mp4", 0]
        ]
      )
      yield* client.remove(bucket, "one/a.mp4")
      yield* client.remove(bucket, "one/a.mp4")
      assert.isUndefined(yield* client.find(bucket, "one/a.mp4"))
    })
  )

  it.effect("lists more objects than one page has", () =>
    Effect.gen(function* () {
      const { client, server } = yield* Tried
      yield* put(client, "many/0", Buffer.from("x"))
      yield* Effect.promise(async () => {
        const folder = join(server.directory, bucket, "many")
        for (const name of await readdir(folder)) {
          for (let at = 1; at < 1005; at++)
            await copyFile(join(folder, name), join(folder, name.replace(/^0/, String(at))))
        }
      })
      assert.strictEqual((yield* Stream.runCollect(client.list(bucket, "many/"))).length, 1005)
    })
  )

  it.effect("tries again what may succeed, and no more often than allowed", () =>
    Effect.gen(function* () {
      const { client, server } = yield* Tried
      const bytes = randomBytes(1000)
      const busy = { kind: "status", status: 503, code: "SlowDown" } as const
      const isPut = ({ method }: { readonly method: string }) => method === "PUT"
      const twice = yield* failing(server, 2, (one) => (isPut(one) ? busy : undefined), put(client, "r/a", bytes))
      assert.isTrue(Result.isSuccess(twice.result))
      const always = yield* failing(server, 99, (one) => (isPut(one) ? busy : undefined), put(client, "r/b", bytes))
      assert.strictEqual(always.failed, 3)
      assert.isTrue(Result.isFailure(always.result) && always.result.failure.reason === "overloaded")
      const denied = { kind: "status", status: 403, code: "AccessDenied" } as const
      const refused = yield* failing(server, 99, (one) => (isPut(one) ? denied : undefined), put(client, "r/c", bytes))
      assert.strictEqual(refused.failed, 1)
      assert.isTrue(Result.isFailure(refused.result) && refused.result.failure.reason === "denied")
      const cut = yield* failing(
        server,
        1,
        (one) => (isPut(one) ? { kind: "cut request" } : undefined),
        put(client, "r/d", bytes)
      )
      assert.isTrue(Result.isSuccess(cut.result))
      assert.strictEqual(cut.failed, 1)
    })
  )

  it.effect("notices bytes that arrived wrong", () =>
    Effect.gen(function* () {
      const { client, server } = yield* Tried
      const wrong = (one: { readonly method: string }) =>
        one.method === "PUT" ? ({ kind: "wrong etag" } as const) : undefined
      const once = yield* failing(server, 1, wrong, put(client, "w/a", randomBytes(1000)))
      assert.isTrue(Result.isSuccess(once.result))
      const always = yield* failing(server, 99, wrong, put(client, "w/b", randomBytes(1000)))
      assert.isTrue(Result.isFailure(always.result) && always.result.failure.reason === "corrupt")
    })
  )

  it.effect("goes on where a reading connection broke", () =>
    Effect.gen(function* () {
      const { client, server } = yield* Tried
      const bytes = randomBytes(150_000)
      yield* put(client, "cut/a", bytes)
      server.proxy.seen.length = 0
      const cut = (one: { readonly method: string }) =>
        one.method === "GET" ? ({ kind: "cut answer", after: 40_000 } as const) : undefined
      const { failed, result } = yield* failing(server, 2, cut, bytesOf(client, "cut/a", 10, 149_999))
      assert.strictEqual(failed, 2)
      assert.isTrue(Result.isSuccess(result) && bytes.subarray(10).equals(result.success))
      assert.strictEqual(server.proxy.seen[0]?.range, "bytes=10-149999")
      const lost = yield* failing(server, 99, cut, bytesOf(client, "cut/a", 0, 149_999))
      assert.strictEqual(lost.failed, 3)
      assert.isTrue(Result.isFailure(lost.result) && lost.result.failure.reason === "unreachable")
    })
  )

  it.effect("gives up on a service that says nothing", () =>
    Effect.gen(function* () {
      const { server, settings } = yield* Tried
      const client = yield* makeS3Client({ ...settings, attempts: 1, silence: Duration.millis(200) })
      const slow = yield* failing(server, 1, () => ({ kind: "slow", millis: 5000 }), client.find(bucket, "slow"))
      assert.isTrue(Result.isFailure(slow.result) && slow.result.failure.code === "ETIMEDOUT")
    })
  )

  it.effect("continues an upload in parts that another process began", () =>
    Effect.gen(function* () {
      const { client, server } = yield* Tried
      const bytes = randomBytes(5 * partBytes + 17)
      const parts = new Map<number, string>()
      let kept: UploadSoFar | undefined
      const log: UploadLog<never> = {
        found: Effect.sync(() => kept),
        begin: (uploadId) => Effect.sync(() => void (kept = { uploadId, parts })),
        part: (number, etag) => Effect.sync(() => void parts.set(number, etag)),
        end: Effect.sync(() => void (kept = undefined))
      }
      let puts = 0
      const denied = { kind: "status", status: 403, code: "AccessDenied" } as const
      const third = yield* failing(
        server,
        99,
        ({ method }) => (method === "PUT" && ++puts > 3 ? denied : undefined),
        put(client, "parts/a", bytes, log)
      )
      assert.isTrue(Result.isFailure(third.result))
      assert.strictEqual(parts.size, 3)
      const before = new Set(parts.keys())
      server.proxy.seen.length = 0
      yield* put(client, "parts/a", bytes, log)
      const again = server.proxy.seen.flatMap(({ query }) => query.get("partNumber") ?? [])
      const missing = ["1", "2", "3", "4", "5", "6"].filter((number) => !before.has(Number(number)))
      assert.deepStrictEqual([...new Set(again)].toSorted(), missing)
      assert.isUndefined(kept)
      assert.isTrue(bytes.equals(yield* bytesOf(client, "parts/a", 0, bytes.length - 1)))
    })
  )

  it.effect("takes a completion for done whose answer was lost", () =>
    Effect.gen(function* () {
      const { client, server } = yield* Tried
      const bytes = randomBytes(3 * partBytes)
      let posts = 0
      const { failed, result } = yield* failing(
        server,
        1,
        ({ method }) => (method === "POST" && ++posts === 2 ? { kind: "lost answer" } : undefined),
        put(client, "lost/a", bytes)
      )
      assert.strictEqual(failed, 1)
      assert.isTrue(Result.isSuccess(result))
      assert.isTrue(bytes.equals(yield* bytesOf(client, "lost/a", 0, bytes.length - 1)))
    })
  )

  it.effect("signs addresses that open for a while, with the headers that were asked for", () =>
    Effect.gen(function* () {
      const { client, server } = yield* Tried
      yield* put(client, "private/a.mp4", Buffer.from("secret"))
      assert.strictEqual((yield* fetched(`${server.endpoint}/${bucket}/private/a.mp4`)).status, 403)
      const url = yield* client.presign(bucket, "private/a.mp4", 60, {
        "response-content-disposition": 'attachment; filename="x.mp4"'
      })
      assert.deepStrictEqual(yield* fetched(url), {
        status: 200,
        disposition: 'attachment; filename="x.mp4"',
        text: "secret"
      })
    })
  )

  it.effect("never says its keys", () =>
    Effect.gen(function* () {
      const { settings } = yield* Tried
      const secret = "a-very-secret-key"
      const client = yield* makeS3Client({ ...settings, attempts: 1, secretAccessKey: Redacted.make(secret) })
      const failure = yield* Effect.flip(client.find(bucket, "x"))
      assert.strictEqual(failure.reason, "denied")
      assert.notInclude(JSON.stringify(failure) + failure.message, secret)
    })
  )
})
