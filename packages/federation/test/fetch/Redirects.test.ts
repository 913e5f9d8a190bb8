import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import type { Refused, TooManyRedirects } from "../../src/fetch/FetchError.ts"
import { fetching, reason, userAgent } from "./support/Fetching.ts"
import { origin } from "./support/Origin.ts"

const json = { types: ["application/json"], maxBytes: 1_000 }

const redirect = (response: ServerResponse, location: string, status = 302) =>
  response.writeHead(status, { location }).end()

const answer = (response: ServerResponse, text = "{}", type = "application/json") =>
  response.writeHead(200, { "content-type": type }).end(text)

describe("hops", () => {
  it.live("asks without TLS and on other ports within networks of one's own alone", () =>
    Effect.gen(function* () {
      const own = yield* fetching({ addresses: "public-and-private" })
      const peer = yield* origin((_, response) => answer(response, `{"here":true}`))
      assert.deepStrictEqual((yield* own.json(peer.url("/a"), json)).value, { here: true })
      for (const url of ["http://93.184.216.34/", "https://93.184.216.34:8443/", "http://169.254.169.254/"]) {
        assert.deepInclude(yield* reason(own.json(url, json)), { _tag: "Refused", what: "address" }, url)
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuses what no hop may be, before a byte is sent (FET-05, FET-11)", () =>
    Effect.gen(function* () {
      const local = yield* fetching()
      for (const url of [
        "data:application/json,{}",
        "file:///etc/passwd",
        "gopher://127.0.0.1:70/1",
        "ftp://127.0.0.1/a",
        "javascript:1",
        "ws://127.0.0.1/"
      ]) {
        assert.deepInclude(yield* reason(local.json(url, json)), { _tag: "Refused", what: "scheme" }, url)
      }
      assert.deepInclude(yield* reason(local.json("http://user@127.0.0.1/", json)), { what: "credentials" })
      assert.deepInclude(yield* reason(local.json("http://:pw@127.0.0.1/", json)), { what: "credentials" })
      for (const url of [
        "",
        "/path",
        "//host/path",
        "https://",
        "https://[",
        `http://127.0.0.1/${"x".repeat(5_000)}`
      ]) {
        assert.deepInclude(yield* reason(local.json(url, json)), { _tag: "Refused", what: "url" }, url)
      }
      // Numbers, octal and hexadecimal parts are addresses to the URL parser, and vetted as such.
      for (const host of [
        "10.0.0.1",
        "8.8.8.8",
        "0x0a000001",
        "167772161",
        "012.1",
        "[::ffff:127.0.0.1]",
        "[::]",
        "0"
      ]) {
        assert.deepInclude(yield* reason(local.json(`http://${host}/`, json)), { what: "address" }, host)
      }

      const strict = yield* fetching({ addresses: "public" })
      assert.deepInclude(yield* reason(strict.json("http://93.184.216.34/", json)), { what: "scheme" })
      assert.deepInclude(yield* reason(strict.json("https://93.184.216.34:8443/", json)), { what: "port" })
      for (const host of [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "localhost",
        "a.localhost.",
        "169.254.169.254",
        "[::1]"
      ]) {
        assert.deepInclude(yield* reason(strict.json(`https://${host}/`, json)), { what: "address" }, host)
      }
    }).pipe(Effect.scoped)
  )

  it.live("follows redirects to the answer and names where it was", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const hosts = yield* origin((request, response) => {
        const left = Number(request.url?.slice(1))
        if (left > 0) redirect(response, `/${left - 1}#fragment`, [301, 302, 303, 307, 308][left % 5])
        else answer(response, '{"a":1}')
      })
      const found = yield* fetch.json(hosts.url("/5"), json)
      assert.deepStrictEqual(found.value, { a: 1 })
      assert.strictEqual(found.url, hosts.url("/0"))
      assert.deepStrictEqual(
        hosts.seen.map((it) => it.path),
        ["/5", "/4", "/3", "/2", "/1", "/0"]
      )
      assert.strictEqual(hosts.seen[0]?.headers["user-agent"], userAgent)
      assert.strictEqual(hosts.seen[0]?.headers.accept, "application/json")

      const many = yield* reason(fetch.json(hosts.url("/6"), json))
      assert.deepInclude(many, { _tag: "TooManyRedirects", hops: 6 })
    }).pipe(Effect.scoped)
  )

  it.live("ends circles, chains and hops to where nobody may go (FET-05)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const targets: Record<string, string> = {
        "/self": "/self",
        "/a": "/b",
        "/b": "/a",
        "/private": "http://10.0.0.1/",
        "/public": "http://93.184.216.34/",
        "/metadata": "http://169.254.169.254/latest/meta-data",
        "/file": "file:///etc/passwd",
        "/gopher": "gopher://127.0.0.1/",
        "/data": "data:application/json,{}",
        "/credentials": "http://user:password@127.0.0.1/",
        "/broken": "http://[",
        "/long": `/${"x".repeat(5_000)}`
      }
      const host = yield* origin((request, response) => redirect(response, targets[request.url ?? ""] ?? "/"))
      const expected: Record<string, Partial<TooManyRedirects> | Partial<Refused>> = {
        "/self": { _tag: "TooManyRedirects", hops: 1 },
        "/a": { _tag: "TooManyRedirects", hops: 2 },
        "/private": { what: "address" },
        "/public": { what: "address" },
        "/metadata": { what: "address" },
        "/file": { what: "scheme" },
        "/gopher": { what: "scheme" },
        "/data": { what: "scheme" },
        "/credentials": { what: "credentials" },
        "/broken": { what: "url" },
        "/long": { what: "url" }
      }
      for (const [path, failure] of Object.entries(expected)) {
        assert.deepInclude(yield* reason(fetch.json(host.url(path), json)), failure, path)
      }

      const none = yield* origin((_, response) => response.writeHead(302).end())
      assert.deepInclude(yield* reason(fetch.json(none.url("/"), json)), { _tag: "Malformed", what: "redirect" })
      const choices = yield* origin((_, response) => redirect(response, "/other", 300))
      assert.deepInclude(yield* reason(fetch.json(choices.url("/"), json)), { _tag: "BadStatus", status: 300 })
    }).pipe(Effect.scoped)
  )

  it.live("keeps secrets with their origin, even when the way leads back", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const other = yield* origin((_, response) => redirect(response, home.url("/end")))
      const home = yield* origin((request, response) => {
        if (request.url === "/start") redirect(response, "/same")
        else if (request.url === "/same") redirect(response, other.url("/"))
        else answer(response)
      })
      const signed: Array<string> = []
      yield* fetch.json(home.url("/start"), {
        ...json,
        headers: { authorization: "Bearer secret", cookie: "a=b", "x-kept": "yes" },
        sign: ({ url }) => Effect.sync(() => ({ signature: `over ${signed.push(url.pathname) && url.host}` }))
      })
      const [start, same, end] = home.seen
      for (const request of [start, same]) {
        assert.strictEqual(request?.headers.authorization, "Bearer secret")
        assert.strictEqual(request?.headers.cookie, "a=b")
      }
      for (const request of [other.seen[0], end]) {
        assert.isUndefined(request?.headers.authorization)
        assert.isUndefined(request?.headers.cookie)
        assert.strictEqual(request?.headers["x-kept"], "yes")
      }
      assert.strictEqual(other.seen[0]?.headers.signature, `over 127.0.0.1:${other.port}`)
      assert.deepStrictEqual(signed, ["/start", "/same", "/", "/end"])
    }).pipe(Effect.scoped)
  )

  it.live("names in an error where it went wrong, without what queries and credentials hold", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const host = yield* origin((request, response) => {
        if (request.url?.startsWith("/from")) redirect(response, "/to?token=secret")
        else response.writeHead(404).end()
      })
      const error = yield* Effect.flip(fetch.json(host.url("/from?key=secret"), json))
      assert.strictEqual(error.url, host.url("/to"))
      assert.strictEqual(error.message, `${host.url("/to")}: BadStatus {"status":404}`)
      const refused = yield* Effect.flip(fetch.json("http://user:secret@127.0.0.1/?token=secret", json))
      assert.strictEqual(refused.url, "http://127.0.0.1/")
      assert.notInclude(refused.message, "secret")
      assert.strictEqual((yield* Effect.flip(fetch.json("data:secret", json))).url, "data:")
    }).pipe(Effect.scoped)
  )

  it.live("follows nothing but redirects, whatever a page says (FET-06, FET-07)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const page = `<html><head>${"<link rel=alternate ".repeat(50_000)}<link rel="alternate" href="/b">`
      const host = yield* origin((_, response) => {
        response.setHeader("link", '</b>; rel="alternate"; type="application/activity+json"')
        response.setHeader("refresh", "0; url=/c")
        answer(response, page, "text/html")
      })
      assert.deepInclude(yield* reason(fetch.json(host.url("/a"), json)), { _tag: "WrongType", type: "text/html" })
      const html = yield* fetch.text(host.url("/a"), { types: ["text/html"], maxBytes: 2_000_000 })
      assert.strictEqual(html.value, page)
      assert.deepStrictEqual(
        host.seen.map((it) => it.path),
        ["/a", "/a"]
      )
    }).pipe(Effect.scoped)
  )
})
