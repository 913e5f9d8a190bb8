import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { type IncomingMessage, request } from "node:http"
import { get } from "node:https"
import { connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { FetchGuard } from "../../src/fetch/FetchGuard.ts"
import type { FetchOptionsInput } from "../../src/fetch/FetchOptions.ts"
import { GuardedProxy, type ProxyRun } from "../../src/fetch/GuardedProxy.ts"
import { NameResolver } from "../../src/fetch/NameResolver.ts"
import { selfSigned } from "./support/Certificates.ts"
import { until, userAgent } from "./support/Fetching.ts"
import { nameServer } from "./support/NameServer.ts"
import { closedPort, origin, tcpServer } from "./support/Origin.ts"

const proxying = (options: Partial<FetchOptionsInput> = {}, server = "127.0.0.1:9") =>
  Effect.map(
    Layer.build(
      GuardedProxy.layerNoDeps.pipe(
        Layer.provide(FetchGuard.layerNoDeps({ userAgent, addresses: "loopback", ...options })),
        Layer.provide(NameResolver.layerServers([server]))
      )
    ),
    (context) => Context.get(context, GuardedProxy)
  )

interface Connected {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly socket: Socket
}

/** Asks a proxy for a tunnel. */
const tunnel = ({ url }: ProxyRun, authority: string, token?: string) =>
  Effect.callback<Connected>((resume) => {
    const { hostname, port, username, password } = new URL(Redacted.value(url))
    const credentials = Buffer.from(`${username}:${token ?? password}`).toString("base64")
    const asking = request({
      method: "CONNECT",
      hostname,
      port,
      path: authority,
      agent: false,
      ...(token === "" ? {} : { headers: { "proxy-authorization": `Basic ${credentials}` } })
    })
    asking.on("connect", ({ statusCode = 0, headers }, socket) => {
      socket.on("error", () => {})
      resume(Effect.succeed({ status: statusCode, headers, socket }))
    })
    asking.end()
  })

const status = (run: ProxyRun, authority: string, token?: string) =>
  Effect.map(tunnel(run, authority, token), (connected) => {
    connected.socket.destroy()
    return connected.status
  })

describe("guarded proxy", () => {
  it.live("keeps to IPv4 where it is told to", () =>
    Effect.gen(function* () {
      const names = yield* nameServer({ "both.test": [["127.0.0.1"], ["::1"]] })
      const host = yield* origin((_, response) => response.end(), selfSigned(["both.test"]))
      const proxy = yield* proxying({}, names.server)
      const run = yield* proxy.open({ maxBytes: 1e6, ipv4Only: true })
      assert.strictEqual(yield* status(run, `both.test:${host.port}`), 200)
      assert.strictEqual(yield* status(run, `[::1]:${host.port}`), 403)
      const both = yield* proxy.open({ maxBytes: 1e6 })
      assert.strictEqual(yield* status(both, `[::1]:${host.port}`), 502)
    })
  )

  it.live("tunnels TLS to a vetted address of the name", () =>
    Effect.gen(function* () {
      const certificate = selfSigned(["video.test"])
      const names = yield* nameServer({
        "video.test": [["10.0.0.1", "127.0.0.1"]],
        "turns.test": [["127.0.0.1"], ["::1"]]
      })
      const host = yield* origin((_, response) => response.end("through"), certificate)
      const run = yield* Effect.flatMap(proxying({}, names.server), (proxy) => proxy.open({ maxBytes: 1e6 }))
      const { status, socket } = yield* tunnel(run, `video.test:${host.port}`)
      assert.strictEqual(status, 200)
      const text = yield* Effect.callback<string>((resume) => {
        const secure = connectTls({ socket, servername: "video.test", ca: certificate.cert })
        get({ host: "video.test", path: "/", createConnection: () => secure }, (answer) => {
          answer.setEncoding("utf8").once("data", (chunk: string) => resume(Effect.succeed(chunk)))
        })
      })
      assert.strictEqual(text, "through")
      assert.strictEqual(host.seen[0]?.servername, "video.test")
      assert.strictEqual(names.asked("video.test"), 1)
      assert.isAbove(yield* run.bytes, 500)
      assert.isFalse(yield* run.exhausted)
      socket.destroy()
      yield* until(() => host.connections().open === 0)
    }).pipe(Effect.scoped)
  )

  it.live("refuses whoever has no token, and everything but tunnels", () =>
    Effect.gen(function* () {
      const proxy = yield* proxying()
      const [run, other] = [yield* proxy.open({ maxBytes: 1e6 }), yield* proxy.open({ maxBytes: 1e6 })]
      const host = yield* tcpServer(() => {})
      const authority = `127.0.0.1:${host.port}`
      const challenged = yield* tunnel(run, authority, "")
      assert.strictEqual(challenged.status, 407)
      assert.match(challenged.headers["proxy-authenticate"] ?? "", /^Basic /)
      assert.strictEqual(yield* status(run, authority, "guess"), 407)
      assert.strictEqual(yield* status(run, authority, new URL(Redacted.value(other.url)).password), 407)
      assert.strictEqual(host.open(), 0)
      const plain = yield* Effect.callback<number>((resume) => {
        const { port } = new URL(Redacted.value(run.url))
        const path = `http://127.0.0.1:${host.port}/`
        request({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
          answer.resume()
          resume(Effect.succeed(answer.statusCode ?? 0))
        }).end()
      })
      assert.strictEqual(plain, 403)
      assert.notInclude(String(run.url), "kinora:")
    }).pipe(Effect.scoped)
  )

  it.live("holds tunnels against the rules of fetches (FET-01, FET-02, FET-04)", () =>
    Effect.gen(function* () {
      const names = yield* nameServer({
        "private.test": [["10.0.0.1"]],
        "rebind.test": [["127.0.0.1"], ["192.168.0.1"]]
      })
      const host = yield* tcpServer(() => {})
      const run = yield* Effect.flatMap(proxying({}, names.server), (proxy) => proxy.open({ maxBytes: 1e6 }))
      for (const authority of [
        "10.0.0.1:443",
        "93.184.216.34:443",
        "169.254.169.254:80",
        "[::ffff:127.0.0.1]:443",
        "[::]:443",
        "private.test:443",
        "user@127.0.0.1:443",
        "127.0.0.1",
        "127.0.0.1:443/path",
        "127.0.0.1:99999"
      ]) {
        assert.strictEqual(yield* status(run, authority), 403, authority)
      }
      assert.strictEqual(yield* status(run, `rebind.test:${host.port}`), 200)
      assert.strictEqual(yield* status(run, `rebind.test:${host.port}`), 403)
      assert.strictEqual(yield* status(run, "nowhere.test:443"), 502)

      const strict = yield* Effect.flatMap(proxying({ addresses: "public" }), (proxy) => proxy.open({ maxBytes: 1e6 }))
      for (const authority of ["93.184.216.34:22", `127.0.0.1:${host.port}`, "127.0.0.1:443", "localhost:443"]) {
        assert.strictEqual(yield* status(strict, authority), 403, authority)
      }
    }).pipe(Effect.scoped)
  )

  it.live("leaves failing hosts alone and closes silent tunnels", () =>
    Effect.gen(function* () {
      const proxy = yield* proxying({ idleMillis: 50, host: { failures: 2 } })
      const run = yield* proxy.open({ maxBytes: 1e6 })
      const closed = `127.0.0.1:${yield* closedPort}`
      assert.strictEqual(yield* status(run, closed), 502)
      assert.strictEqual(yield* status(run, closed), 502)
      assert.strictEqual(yield* status(run, closed), 503)
      const mute = yield* tcpServer(() => {})
      const { socket } = yield* tunnel(run, `127.0.0.1:${mute.port}`)
      socket.resume()
      yield* until(() => socket.destroyed && mute.open() === 0)
    }).pipe(Effect.scoped)
  )

  it.live("stops at its bytes and its tunnels", () =>
    Effect.gen(function* () {
      const proxy = yield* proxying()
      const run = yield* proxy.open({ maxBytes: 100_000, maxTunnels: 2 })
      const flood = yield* tcpServer((socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(10_000)));
        }
        socket.on("drain", more)
        socket.once("data", more)
      })
      const authority = `127.0.0.1:${flood.port}`
      const first = yield* tunnel(run, authority)
      yield* tunnel(run, authority)
      assert.strictEqual(yield* status(run, authority), 503)
      let heard = 0
      first.socket.on("data", (chunk: Buffer) => (heard += chunk.length))
      first.socket.write("go")
      yield* until(() => first.socket.destroyed)
      assert.isAtMost(heard, 100_000)
      assert.isTrue(yield* run.exhausted)
      assert.strictEqual(yield* status(run, authority), 503)
    }).pipe(Effect.scoped)
  )

  it.live("ends with its scope, tunnels and all", () =>
    Effect.gen(function* () {
      const proxy = yield* proxying()
      const scope = yield* Scope.make()
      const run = yield* Scope.provide(proxy.open({ maxBytes: 1e6 }), scope)
      const host = yield* tcpServer(() => {})
      const { socket } = yield* tunnel(run, `127.0.0.1:${host.port}`)
      socket.resume()
      yield* until(() => host.open() === 1)
      const quiet = connect(Number(new URL(Redacted.value(run.url)).port), "127.0.0.1").resume()
      yield* until(() => !quiet.connecting)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      yield* until(() => host.open() === 0 && socket.destroyed && quiet.destroyed)
      const code = yield* Effect.callback<string>((resume) => {
        connect(Number(new URL(Redacted.value(run.url)).port), "127.0.0.1").on(
          "error",
          (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? ""))
        )
      })
      assert.strictEqual(code, "ECONNREFUSED")
    }).pipe(Effect.scoped)
  )
})
