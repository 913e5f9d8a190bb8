import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerRedisStore } from "../../../src/platform/http/RateLimitRedis.ts"
import { makeMemoryStore, RateLimitStore } from "../../../src/platform/http/RateLimitStore.ts"

const hasRedis = spawnSync("redis-server", ["--version"]).status === 0
const limit = { max: 2, windowMillis: 60_000 }

const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    probe.close(() => resume(Effect.succeed(port)))
  })
})

const redis = (port: number, more: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.callback<ChildProcess>((resume) => {
      const child = spawn("redis-server", [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        ...more
      ])
      child.stdout.on("data", (chunk: Buffer) => {
        if (/ready to accept connections/i.test(chunk.toString())) resume(Effect.succeed(child))
      })
    }),
    (child) => Effect.sync(() => child.kill())
  )

const storeAt = (port: number) => storeOf(`redis://127.0.0.1:${port}`)

const storeOf = (url: string) =>
  Effect.map(
    Layer.build(Layer.fresh(layerRedisStore({ url, fallback: makeMemoryStore(100) }))),
    (context) => context.mapUnsafe.get(RateLimitStore.key) as RateLimitStore["Service"]
  )

describe("rate limits in Redis", () => {
  it.live("are counted in memory while there is no Redis", () =>
    Effect.gen(function* () {
      const store = yield* storeAt(yield* freePort)
      const used: Array<number> = []
      for (let i = 0; i < 3; i++) used.push((yield* store.hit("a", limit, 1000)).used)
      yield* store.refund("a", limit, 1000)
      used.push((yield* store.hit("a", limit, 1000)).used)
      assert.deepStrictEqual(used, [1, 2, 3, 3])
      assert.strictEqual((yield* store.hit("b", limit, 1000)).resetAt, 61_000)
    })
  )

  it.live.skipIf(!hasRedis)("are shared over a unix socket", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-redis-"))),
        (it) => Effect.sync(() => rmSync(it, { recursive: true }))
      )
      const path = join(folder, "redis.sock")
      yield* redis(0, ["--unixsocket", path, "--requirepass", "s3cret&"])
      const url = `${path}?db=1&password=s3cret%26`
      const [one, other] = [yield* storeOf(url), yield* storeOf(url)]
      assert.strictEqual((yield* one.hit("a", limit, 0)).used, 1)
      assert.strictEqual((yield* other.hit("a", limit, 0)).used, 2)
    })
  )

  it.live.skipIf(!hasRedis)("are shared by the nodes of an instance", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      yield* redis(port)
      const [one, other] = [yield* storeAt(port), yield* storeAt(port)]
      assert.strictEqual((yield* one.hit("a", limit, 0)).used, 1)
      assert.strictEqual((yield* other.hit("a", limit, 0)).used, 2)
      yield* one.refund("a", limit, 0)
      const count = yield* other.hit("a", limit, 0)
      assert.strictEqual(count.used, 2)
      assert.isAtMost(count.resetAt, 60_000)
      assert.isAtLeast(count.resetAt, 50_000)
    })
  )
})
