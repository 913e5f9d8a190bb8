import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fetching, reason, until } from "./support/Fetching.ts"
import { nameServer } from "./support/NameServer.ts"
import { closedPort, origin } from "./support/Origin.ts"

const json = { types: ["application/json"], maxBytes: 1_000 }

describe("names", () => {
  it.live("asks once and connects to what was vetted, never to a later answer (FET-04)", () =>
    Effect.gen(function* () {
      const names = yield* nameServer({ "rebind.test": [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]] })
      const fetch = yield* fetching({}, names.server)
      const host = yield* origin((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}')
      )
      const found = yield* fetch.json(host.url("/", "rebind.test"), json)
      assert.deepStrictEqual(found.value, { ok: true })
      assert.strictEqual(names.asked("rebind.test"), 1)
      assert.strictEqual(host.seen[0]?.headers.host, `rebind.test:${host.port}`)

      assert.deepInclude(yield* reason(fetch.json(host.url("/", "rebind.test"), json)), { what: "address" })
      assert.strictEqual(names.asked("rebind.test"), 2)
      assert.strictEqual(host.seen.length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("vets each hop's name anew (FET-04, FET-05)", () =>
    Effect.gen(function* () {
      const names = yield* nameServer({ "turns.test": [["127.0.0.1"], ["192.168.0.1"]] })
      const fetch = yield* fetching({}, names.server)
      const host = yield* origin((_, response) => response.writeHead(302, { location: "/again" }).end())
      assert.deepInclude(yield* reason(fetch.json(host.url("/", "turns.test"), json)), { what: "address" })
      assert.strictEqual(host.seen.length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("connects to none but the vetted addresses of a mixed set (FET-01, FET-02, FET-04)", () =>
    Effect.gen(function* () {
      const names = yield* nameServer({
        "mixed.test": [["10.0.0.1", "169.254.169.254", "127.0.0.1", "::ffff:127.0.0.1"]],
        "private.test": [["10.0.0.1", "192.168.1.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fd00::1"]],
        "public.test": [["93.184.216.34", "2606:4700::1111"]],
        "empty.test": [[]]
      })
      const fetch = yield* fetching({}, names.server)
      const host = yield* origin((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      )
      yield* fetch.json(host.url("/", "mixed.test"), json)
      assert.strictEqual(host.seen.length, 1)
      for (const name of ["private.test", "public.test"]) {
        assert.deepInclude(yield* reason(fetch.json(host.url("/", name), json)), { what: "address" }, name)
      }
      const gone = yield* reason(fetch.json(host.url("/", "nowhere.test"), json))
      assert.deepInclude(gone, { _tag: "Unreachable", code: "ENOTFOUND" })
      const empty = yield* reason(fetch.json(host.url("/", "empty.test"), json))
      assert.deepInclude(empty, { _tag: "Unreachable", code: "ENODATA" })
      assert.strictEqual(host.seen.length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("does not wait for a name server that says nothing", () =>
    Effect.gen(function* () {
      const names = yield* nameServer({ "mute.test": [] })
      const fetch = yield* fetching({ wholeMillis: 300 }, names.server)
      const failure = yield* reason(fetch.json("http://mute.test/", json))
      assert.deepInclude(failure, { _tag: "TimedOut", phase: "whole" })
      yield* until(() => names.asked("mute.test") === 1)
    }).pipe(Effect.scoped)
  )

  it.live("tries the next address when one takes no connection", () =>
    Effect.gen(function* () {
      const names = yield* nameServer({ "two.test": [["127.0.0.2", "127.0.0.1"]] })
      const fetch = yield* fetching({}, names.server)
      const host = yield* origin((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      )
      yield* fetch.json(host.url("/", "two.test"), json)
      const port = yield* closedPort
      const failure = yield* reason(fetch.json(`http://two.test:${port}/`, json))
      assert.deepInclude(failure, { _tag: "Unreachable", code: "ECONNREFUSED" })
    }).pipe(Effect.scoped)
  )

  it.live("keeps connections for the next request, and no more of them than it should", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching({ idleConnections: 2 })
      const hosts = yield* Effect.all(
        Array.from({ length: 5 }, () =>
          origin((_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"))
        )
      )
      for (const host of hosts) {
        yield* fetch.json(host.url("/"), json)
        yield* fetch.json(host.url("/"), json)
      }
      assert.deepStrictEqual(
        hosts.map((host) => host.connections().made),
        [1, 1, 1, 1, 1]
      )
      yield* fetch.json(hosts[4]?.url("/") ?? "", json)
      assert.strictEqual(hosts[4]?.connections().made, 1)
      // Sooner than those that are idle are closed for their age.
      yield* until(() => hosts.reduce((sum, host) => sum + host.connections().open, 0) === 2).pipe(
        Effect.timeout("5 seconds")
      )
    }).pipe(Effect.scoped)
  )
})
