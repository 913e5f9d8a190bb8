import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { NodeInfo } from "../../src/discovery/NodeInfo.ts"
import { WebFinger } from "../../src/discovery/WebFinger.ts"
import { FetchGuard } from "../../src/fetch/FetchGuard.ts"
import { GuardedFetch } from "../../src/fetch/GuardedFetch.ts"
import { closedPort, origin } from "../fetch/support/Origin.ts"

const guard = FetchGuard.layer({ userAgent: "Test/1.0", addresses: "loopback", host: { rate: 1_000, burst: 1_000 } })
const services = Effect.map(
  Layer.build(
    Layer.merge(WebFinger.layerNoDeps, NodeInfo.layerNoDeps).pipe(
      Layer.provide(GuardedFetch.layerNoDeps),
      Layer.provide(guard)
    )
  ),
  (context) => ({ webFinger: Context.get(context, WebFinger), nodeInfo: Context.get(context, NodeInfo) })
)

interface Said {
  readonly subject?: unknown
  readonly href?: string
  readonly links?: unknown
  readonly body?: string
  readonly type?: string
  readonly location?: string
}

/** A host whose answers are set by handle (`name@host`) as the test goes. */
const peer = Effect.gen(function* () {
  const said: Record<string, Said> = {}
  const server = yield* origin((request: IncomingMessage, response: ServerResponse) => {
    const resource = new URL(request.url ?? "", "http://x").searchParams.get("resource") ?? ""
    const entry = said[resource.replace(/^acct:/, "")]
    if (entry === undefined) return void response.writeHead(404).end()
    if (entry.location !== undefined) return void response.writeHead(302, { location: entry.location }).end()
    const links = entry.links ?? [
      { rel: "http://webfinger.net/rel/profile-page", type: "text/html", href: "https://x.example/" },
      null,
      { rel: "self", type: "text/html", href: "https://wrong.example/" },
      { rel: "self", type: "application/activity+json", href: entry.href }
    ]
    const subject = entry.subject === undefined ? resource : entry.subject
    response
      .writeHead(200, { "content-type": entry.type ?? "application/jrd+json; charset=utf-8" })
      .end(entry.body ?? JSON.stringify({ subject, links }))
  })
  return { ...server, host: `127.0.0.1:${server.port}`, said }
})

describe("looking up a handle", () => {
  it.live("believes a host about its own handles and actors, in one request", () =>
    Effect.gen(function* () {
      const { webFinger } = yield* services
      const a = yield* peer
      const href = a.url("/accounts/ann")
      a.said[`ann@${a.host}`] = { href }
      assert.strictEqual(yield* webFinger.lookup({ name: "Ann", host: a.host }), href)
      assert.strictEqual(a.seen.length, 1)
      const type = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
      a.said[`ben@${a.host}`] = { subject: `acct:Ben@${a.host}`, links: [{ rel: "self", type, href }] }
      assert.strictEqual(yield* webFinger.lookup({ name: "ben", host: a.host }), href)
    }).pipe(Effect.scoped)
  )

  it.live("takes a handle alone that both sides agree on (WF-03)", () =>
    Effect.gen(function* () {
      const { webFinger } = yield* services
      const a = yield* peer
      const b = yield* peer
      const ofA = `ann@${a.host}`
      const ofB = `ann@${b.host}`
      const href = b.url("/users/ann")
      const refused = Effect.map(Effect.flip(webFinger.lookup({ name: "ann", host: a.host })), (it) =>
        it._tag === "WebFingerDisagrees" ? it.what : it.reason._tag
      )

      a.said[ofA] = { href }
      assert.strictEqual(yield* refused, "BadStatus", "the host of the actor knows nothing")
      b.said[ofB] = { href: b.url("/users/other") }
      assert.strictEqual(yield* refused, "direction", "it has another actor under the name")
      b.said[ofB] = { href, subject: "acct:ann@third.example" }
      assert.strictEqual(yield* refused, "direction", "it says that the handle is somebody else's")
      b.said[ofB] = { href, subject: `acct:${ofA}` }
      assert.strictEqual(yield* webFinger.lookup({ name: "ann", host: a.host }), href)

      // A subject of another host is asked there, however sure the first is of it.
      a.said[ofA] = { href: a.url("/users/ann"), subject: `acct:${ofB}` }
      b.said[ofB] = { href }
      assert.strictEqual(yield* refused, "direction")
      b.said[ofB] = { href: a.url("/users/ann") }
      assert.strictEqual(yield* webFinger.lookup({ name: "ann", host: a.host }), a.url("/users/ann"))
      b.said[ofB] = { href: a.url("/users/ann"), subject: `acct:ben@${b.host}` }
      assert.strictEqual(yield* refused, "subject")
      a.said[ofA] = { href, subject: "https://elsewhere.example/" }
      assert.strictEqual(yield* refused, "subject")
    }).pipe(Effect.scoped)
  )

  it.live("refuses what is too much, of another kind, or elsewhere (WF-05, FET-11)", () =>
    Effect.gen(function* () {
      const { webFinger } = yield* services
      const a = yield* peer
      const link = { rel: "self", type: "application/activity+json", href: a.url("/accounts/ann") }
      const cases: ReadonlyArray<readonly [Said, string]> = [
        [{ body: `{"links":[],"x":"${"x".repeat(20_000_000)}"}` }, "TooLarge"],
        [{ links: Array.from({ length: 10_000 }, () => ({ rel: "a" })) }, "TooLarge"],
        [{ links: Array.from({ length: 101 }, () => ({})) }, "Malformed"],
        [{ links: [link], type: "text/html" }, "WrongType"],
        [{ links: [link], type: "application/activity+json" }, "WrongType"],
        [{ body: "" }, "Malformed"],
        [{ body: "[]" }, "document"],
        [{ links: "none" }, "document"],
        [{ links: [] }, "links"],
        [{ links: [{ ...link, href: "javascript:alert(1)" }] }, "links"],
        [{ links: [{ ...link, href: "data:application/json,{}" }] }, "links"],
        [{ links: [{ ...link, href: `https://x.example/${"x".repeat(3_000)}` }] }, "links"],
        [{ location: "http://10.0.0.1/.well-known/webfinger" }, "Refused"],
        [{ location: "file:///etc/passwd" }, "Refused"],
        [{ links: [{ ...link, href: "https://169.254.169.254/accounts/ann" }] }, "Refused"]
      ]
      for (const [said, expected] of cases) {
        a.said[`ann@${a.host}`] = said
        const error = yield* Effect.flip(webFinger.lookup({ name: "ann", host: a.host }))
        const what = error._tag === "WebFingerDisagrees" ? error.what : error.reason._tag
        assert.strictEqual(what, expected, JSON.stringify(said).slice(0, 200))
      }
      for (const host of ["", "a b", "x/y", "u@x", "[::1]", "x?y"]) {
        const error = yield* Effect.flip(webFinger.lookup({ name: "ann", host }))
        assert.deepInclude(error, { _tag: "WebFingerDisagrees", what: "host" }, host)
      }
    }).pipe(Effect.scoped)
  )
})

describe("what a host says of itself", () => {
  const saying = (links: unknown, documents: Readonly<Record<string, unknown>> = {}) =>
    origin((request, response) => {
      const body = request.url === "/.well-known/nodeinfo" ? links : documents[request.url ?? ""]
      if (body === undefined) return void response.writeHead(404).end()
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body))
    })
  const application = "https://www.w3.org/ns/activitystreams#Application"
  const schema = (version: string) => `http://nodeinfo.diaspora.software/ns/schema/${version}`

  it.live("names its program, and the actor of the whole (FEP-2677)", () =>
    Effect.gen(function* () {
      const { nodeInfo } = yield* services
      const it = yield* saying(
        {
          links: [
            { rel: schema("2.0"), href: "/nodeinfo/2.0" },
            { rel: schema("2.1"), href: "/nodeinfo/2.1" },
            { rel: application, href: "/actor" },
            "nothing"
          ]
        },
        {
          "/nodeinfo/2.1": {
            software: { name: "x".repeat(500), version: "1.0" },
            metadata: { mediaOrigins: Array.from({ length: 20 }, (_, nth) => `https://s3-${nth}.example`) }
          }
        }
      )
      const host = `127.0.0.1:${it.port}`
      assert.strictEqual(yield* nodeInfo.application(host), it.url("/actor"))
      const software = Option.some({ name: "x".repeat(100), version: "1.0" })
      assert.deepStrictEqual(yield* nodeInfo.software(host), software)
      const origins = yield* nodeInfo.mediaOrigins(host)
      assert.deepStrictEqual([origins.length, origins[7]], [8, "https://s3-7.example"])
    }).pipe(Effect.scoped)
  )

  it.live("is asked by the guarded fetcher, and speaks for itself alone (FET-11)", () =>
    Effect.gen(function* () {
      const { nodeInfo } = yield* services
      for (const href of ["http://10.0.0.1/nodeinfo", "data:application/json,{}", "file:///etc/passwd"]) {
        const it = yield* saying({ links: [{ rel: schema("2.0"), href }] })
        const error = yield* Effect.flip(nodeInfo.software(`127.0.0.1:${it.port}`))
        assert.strictEqual(error._tag === "FetchError" ? error.reason._tag : "", "Refused", href)
      }
      const other = yield* saying({ links: [{ rel: application, href: "https://elsewhere.example/actor" }] })
      assert.strictEqual(yield* nodeInfo.application(`127.0.0.1:${other.port}`), other.url("/accounts/peertube"))
      const plain = yield* saying(
        { links: [{ rel: schema("2.0"), href: "/nodeinfo/2.0" }] },
        { "/nodeinfo/2.0": { software: { name: "peertube", version: "8.3.0" }, metadata: { mediaOrigins: "all" } } }
      )
      assert.deepStrictEqual(yield* nodeInfo.mediaOrigins(`127.0.0.1:${plain.port}`), [])
      const silent = yield* saying(undefined)
      assert.strictEqual(yield* nodeInfo.application(`127.0.0.1:${silent.port}`), silent.url("/accounts/peertube"))
      const nobody = yield* Effect.flip(nodeInfo.application(`127.0.0.1:${yield* closedPort}`))
      assert.strictEqual(nobody._tag === "FetchError" ? nobody.reason._tag : "", "Unreachable")
    }).pipe(Effect.scoped)
  )
})
