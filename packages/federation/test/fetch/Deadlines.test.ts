import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fetching, reason, until } from "./support/Fetching.ts"
import { origin, tcpServer } from "./support/Origin.ts"

const json = { types: ["application/json"], maxBytes: 1_000_000 }

describe("deadlines", () => {
  it.live("ends silence, before and within an answer", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching({ idleMillis: 60, host: { failures: 99 } })
      const mute = yield* tcpServer(() => {})
      const silent = yield* reason(fetch.json(`http://127.0.0.1:${mute.port}/`, json))
      assert.deepInclude(silent, { _tag: "TimedOut", phase: "idle" })
      const host = yield* origin((_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).write("{")
      })
      const within = yield* reason(fetch.json(host.url("/"), json))
      assert.deepInclude(within, { _tag: "TimedOut", phase: "idle" })
      yield* until(() => mute.open() === 0 && host.connections().open === 0)
    }).pipe(Effect.scoped)
  )

  it.live("ends a handshake that does not come about", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching({ connectMillis: 60 })
      const mute = yield* tcpServer(() => {})
      const failure = yield* reason(fetch.json(`https://127.0.0.1:${mute.port}/`, json))
      assert.deepInclude(failure, { _tag: "TimedOut", phase: "connect" })
      yield* until(() => mute.open() === 0)
    }).pipe(Effect.scoped)
  )

  it.live("ends an answer that drips, and one that redirects for ever so slowly", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching({ idleMillis: 5_000, wholeMillis: 150 })
      const host = yield* origin((_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const drip = setInterval(() => response.write(" "), 20)
        response.on("close", () => clearInterval(drip))
      })
      assert.deepInclude(yield* reason(fetch.json(host.url("/"), json)), { _tag: "TimedOut", phase: "whole" })
      yield* until(() => host.connections().open === 0)
      const slow = yield* origin((request, response) => {
        const next = setTimeout(() => response.writeHead(302, { location: `${request.url}1` }).end(), 60)
        response.on("close", () => clearTimeout(next))
      })
      assert.deepInclude(yield* reason(fetch.json(slow.url("/1"), json)), { _tag: "TimedOut", phase: "whole" })
    }).pipe(Effect.scoped)
  )

  it.live("closes the connection and removes the file when it is interrupted", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "fetch-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const host = yield* origin((_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).write("x".repeat(10_000))
      })
      let written = 0
      const fiber = yield* fetch
        .toFile(host.url("/"), join(folder, "part"), {
          ...json,
          progress: (bytes) => {
            written = bytes
          }
        })
        .pipe(Effect.forkChild)
      yield* until(() => written > 0)
      assert.deepStrictEqual(readdirSync(folder), ["part"])
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(readdirSync(folder), [])
      yield* until(() => host.connections().open === 0)

      const mute = yield* tcpServer(() => {})
      const waiting = yield* Effect.forkChild(fetch.json(`http://127.0.0.1:${mute.port}/`, json))
      yield* until(() => mute.open() === 1)
      yield* Fiber.interrupt(waiting)
      yield* until(() => mute.open() === 0)
    }).pipe(Effect.scoped)
  )

  it.live("makes a new connection where a kept one was closed meanwhile", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      let requests = 0
      const host = yield* origin((request, response) => {
        // The second request on a connection finds it closed, as when the host's patience has just ended.
        requests += 1
        if (requests === 2) request.socket.destroy()
        else response.writeHead(200, { "content-type": "application/json" }).end("{}")
      })
      yield* fetch.json(host.url("/"), json)
      yield* fetch.json(host.url("/"), json)
      assert.strictEqual(host.seen.length, 3)
      assert.strictEqual(host.connections().made, 2)
    }).pipe(Effect.scoped)
  )
})
