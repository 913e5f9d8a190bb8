import { assert, it } from "@effect/vitest"
import { Data, Duration, Effect, Redacted, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { makeS3Client, type S3Client } from "../../../../src/platform/objects/s3/S3Client.ts"
import { type Fault, type SeenRequest } from "../../../support/objects/FaultyProxy.ts"
import { makeS3Server, s3Keys } from "../../../support/objects/S3Server.ts"

const bucket = "videos"
const partBytes = 64 * 1024

class SourceFailed extends Data.TaggedError("SourceFailed")<{ readonly message: string }> {}

const made = Effect.gen(function* () {
  const server = yield* makeS3Server([bucket])
  const client = yield* makeS3Client({
    endpoint: server.endpoint,
    region: "us-east-1",
    accessKeyId: s3Keys.accessKeyId,
    secretAccessKey: Redacted.make(s3Keys.secretAccessKey),
    pathStyle: true,
    partBytes,
    attempts: 3,
    silence: Duration.seconds(2)
  })
  return { server, client }
})

/** In pieces of odd sizes; `fails` at the end. */
const pieces = async function* (bytes: Buffer, fails = false) {
  for (let at = 0; at < bytes.length; at += 7001) yield bytes.subarray(at, at + 7001)
  if (fails) throw new Error("the disk is gone")
}

const put = (client: S3Client, key: string, bytes: Buffer, size = bytes.length, fails = false) =>
  client.putStream({
    bucket,
    key,
    size,
    bytes: pieces(bytes, fails),
    failed: (cause) => new SourceFailed({ message: String(cause) })
  })

const stored = (client: S3Client, key: string, size: number) =>
  Effect.map(Stream.runCollect(client.read(bucket, key, { start: 0, end: size - 1 })), (parts) => Buffer.concat(parts))

/** The first request of each kind and part goes wrong so. */
const onceEach = (fault: Fault, concerns: (request: SeenRequest) => boolean) => {
  const seen = new Set<string>()
  return (request: SeenRequest) => {
    const name = `${request.method} ${request.path} ${request.query.toString()}`
    if (!concerns(request) || seen.has(name)) return undefined
    seen.add(name)
    return fault
  }
}

it.live.each([0, 1, partBytes - 1, partBytes, partBytes + 1, 3 * partBytes, 5 * partBytes + 17])(
  "stores %d bytes of a stream, whole",
  (size) =>
    Effect.gen(function* () {
      const { client } = yield* made
      const bytes = randomBytes(size)
      yield* put(client, "a file", bytes)
      assert.strictEqual((yield* client.find(bucket, "a file"))?.size, size)
      assert.isTrue(bytes.equals(yield* stored(client, "a file", size)))
    }).pipe(Effect.scoped)
)

it.live("sends parts again that failed, in every way", () =>
  Effect.gen(function* () {
    const { client, server } = yield* made
    const bytes = randomBytes(4 * partBytes + 5)
    const faults: ReadonlyArray<Fault> = [
      { kind: "status", status: 500, code: "InternalError" },
      { kind: "status", status: 503, code: "SlowDown" },
      { kind: "cut request" },
      { kind: "lost answer" },
      { kind: "wrong etag" },
      { kind: "slow", millis: 3000 }
    ]
    for (const fault of faults) {
      const key = `faulty ${JSON.stringify(fault)}`
      server.proxy.fault = onceEach(fault, ({ method, query }) => method === "PUT" && query.has("partNumber"))
      yield* put(client, key, bytes)
      assert.isTrue(bytes.equals(yield* stored(client, key, bytes.length)), key)
    }
    server.proxy.fault = onceEach({ kind: "lost answer" }, ({ method }) => method === "POST")
    yield* put(client, "lost completion", bytes)
    assert.isTrue(bytes.equals(yield* stored(client, "lost completion", bytes.length)))
  }).pipe(Effect.scoped)
)

it.live("stores nothing where the stream fails, or gives another number of bytes", () =>
  Effect.gen(function* () {
    const { client, server } = yield* made
    for (const size of [1000, 3 * partBytes]) {
      const failure = yield* Effect.flip(put(client, "broken", randomBytes(size), size, true))
      assert.strictEqual(failure._tag, "SourceFailed")
      for (const said of [size - 1, size + 1]) {
        const wrong = yield* Effect.flip(put(client, "broken", randomBytes(size), said))
        assert.include(wrong.message, "bytes came instead of")
      }
    }
    assert.isUndefined(yield* client.find(bucket, "broken"))
    const begun = server.proxy.seen.filter(({ method, query }) => method === "POST" && query.has("uploads"))
    const givenUp = server.proxy.seen.filter(({ method, query }) => method === "DELETE" && query.has("uploadId"))
    assert.strictEqual(givenUp.length, begun.length)
  }).pipe(Effect.scoped)
)
