import { afterEach, assert, describe, it, vi } from "vitest"
import { addressOf, call } from "../../src/api/Call.ts"
import { onSessionEnd } from "../../src/api/Tokens.ts"

interface Sent {
  readonly address: string
  readonly method: string
  readonly token: string | null
  readonly body: string
}

/** Answers requests one after the other, and keeps what was asked. */
const answering = (answers: (sent: Sent) => Response | undefined) => {
  const requests: Array<Sent> = []
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const sent = {
      address,
      method: init.method ?? "GET",
      token: new Headers(init.headers).get("authorization"),
      body: init.body instanceof URLSearchParams ? init.body.toString() : typeof init.body === "string" ? init.body : ""
    }
    requests.push(sent)
    const answer = answers(sent)
    if (answer === undefined) throw new TypeError("Failed to fetch")
    return answer
  })
  return requests
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

/** A browser that keeps a session. */
const browserWith = (session: { readonly access: string; readonly refresh: string } | undefined) => {
  const kept = new Map(session === undefined ? [] : [["kinora.session", JSON.stringify(session)]])
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name)
  })
  return kept
}

const old = { access: "old", refresh: "refresh-1" }

/** A server at which the access token `old` has run out, and the refresh token works once. */
const renewing = (refreshed: () => Response) => (sent: Sent) => {
  if (sent.address.endsWith("/oauth-clients/local")) return json(200, { client_id: "i", client_secret: "s" })
  if (sent.address.endsWith("/users/token")) return refreshed()
  return sent.token === "Bearer new" ? json(200, { id: 1 }) : json(401, { type: "about:blank" })
}

afterEach(() => {
  onSessionEnd(() => Promise.resolve(false))
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe("addresses", () => {
  it("have parameters in their places, escaped", () => {
    assert.strictEqual(addressOf("/a/:id/b/:name", { params: { id: 3, name: "x/y?" } }), "/a/3/b/x%2Fy%3F")
  })
  it("leave out a parameter that may be missing", () => {
    assert.strictEqual(addressOf("/a/:state?", { params: { state: "x y" }, query: { n: 1 } }), "/a/x%20y?n=1")
    assert.strictEqual(addressOf("/a/:state?", { query: { n: 1 } }), "/a?n=1")
  })
  it("repeat the name of a list, and leave out what is undefined", () => {
    assert.strictEqual(addressOf("/a", { query: { tag: ["x y", "z"], none: undefined, n: 0 } }), "/a?tag=x+y&tag=z&n=0")
    assert.strictEqual(addressOf("/a", { query: { none: undefined } }), "/a")
  })
})

describe("calls", () => {
  it("send JSON and give what the server answers", async () => {
    browserWith(undefined)
    const requests = answering(() => json(200, { total: 0, data: [] }))
    const answer = await call("GET /api/v1/videos", { query: { sort: "-views", count: 5 } })
    assert.isTrue(answer.ok)
    assert.strictEqual(requests[0]?.address, "/api/v1/videos?sort=-views&count=5")
    assert.isNull(requests[0]?.token)
  })
  it("read a problem document", async () => {
    browserWith(undefined)
    answering(() =>
      json(400, {
        type: "https://example.org/errors/some_code",
        detail: "Two fields are wrong",
        "invalid-params": { name: { msg: "Must be longer" }, tags: {} }
      })
    )
    const answer = await call("GET /api/v1/videos/:id", { params: { id: "x" } })
    assert.deepStrictEqual(
      [answer.ok, answer.status, answer.code, answer.detail, answer.wrong],
      [
        false,
        400,
        "some_code",
        "Two fields are wrong",
        [
          { name: "name", reason: "Must be longer" },
          { name: "tags", reason: "is not valid" }
        ]
      ]
    )
  })
  it("say that there is no connection", async () => {
    browserWith(undefined)
    answering(() => undefined)
    assert.strictEqual((await call("GET /api/v1/videos")).status, 0)
  })
  it("that come too early wait a short time by themselves, and say how long a long one is", async () => {
    vi.useFakeTimers()
    browserWith(undefined)
    let count = 0
    const requests = answering(() => (count++ === 0 ? json(429, {}, { "retry-after": "3" }) : json(200, {})))
    const waiting = call("GET /api/v1/videos")
    await vi.advanceTimersByTimeAsync(3000)
    assert.isTrue((await waiting).ok)
    assert.strictEqual(requests.length, 2)
    answering(() => json(429, {}, { "retry-after": "600" }))
    assert.strictEqual((await call("GET /api/v1/videos")).retryAfter, 600)
  })
})

describe("sessions", () => {
  it("are renewed once for all requests that find them run out", async () => {
    const kept = browserWith(old)
    const requests = answering(renewing(() => json(200, { access_token: "new", refresh_token: "refresh-2" })))
    const answers = await Promise.all([1, 2, 3].map(() => call("GET /api/v1/users/me")))
    assert.deepStrictEqual(
      answers.map(({ ok }) => ok),
      [true, true, true]
    )
    assert.strictEqual(requests.filter(({ address }) => address.endsWith("/users/token")).length, 1)
    assert.include(requests.find(({ address }) => address.endsWith("/users/token"))?.body, "refresh_token=refresh-1")
    assert.include(kept.get("kinora.session"), "refresh-2")
  })
  it("that have ended are begun again by the person, and the request is sent again", async () => {
    const kept = browserWith(old)
    answering(renewing(() => json(400, { code: "invalid_grant" })))
    onSessionEnd(async () => {
      assert.isUndefined(kept.get("kinora.session"))
      kept.set("kinora.session", JSON.stringify({ access: "new", refresh: "refresh-9" }))
      return true
    })
    assert.isTrue((await call("GET /api/v1/users/me")).ok)
  })
  it("stay when the server cannot be reached to renew them", async () => {
    const kept = browserWith(old)
    const server = renewing(() => json(503, {}))
    answering(server)
    assert.strictEqual((await call("GET /api/v1/users/me")).status, 503)
    assert.include(kept.get("kinora.session"), "refresh-1")
  })
})
