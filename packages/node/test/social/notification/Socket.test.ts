import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { io, type Socket } from "socket.io-client"
import { asksForSession } from "../../../src/platform/sockets/SocketLibrary.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { as, comment, notifiedNode } from "./NotifiedNode.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
type Notified = any

const connect = Effect.fnUntraced(function* (
  token: string | undefined,
  options: { readonly transports?: Array<string>; readonly auth?: boolean; readonly base?: string } = {}
) {
  const base = options.base ?? (yield* baseUrl)
  const told: Array<Notified> = []
  const refusals: Array<string> = []
  const carried =
    token === undefined
      ? {}
      : options.auth === true
        ? { auth: { accessToken: token } }
        : { query: { accessToken: token } }
  const socket: Socket = yield* Effect.acquireRelease(
    Effect.sync(() =>
      io(`${base}/user-notifications`, {
        reconnection: false,
        forceNew: true,
        ...(options.transports === undefined ? {} : { transports: options.transports }),
        ...carried
      })
    ),
    (it) => Effect.sync(() => void it.disconnect())
  )
  socket.on("new-notification", (it) => told.push(it))
  yield* Effect.promise(
    () =>
      new Promise<void>((done) => {
        socket.once("connect", () => done())
        socket.once("connect_error", (error) => {
          refusals.push(error.message)
          done()
        })
      })
  )
  return { socket, told, refusals }
})

const until = (condition: () => boolean) =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(400)])),
    Effect.orDie
  )

layer(notifiedNode(), { excludeTestServices: true, timeout: 60_000 })("The socket of notifications", (it) => {
  it.effect("pushes what is new to a user, by whatever way the client came, and nobody else", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const stock = yield* connect(owner)
      const polling = yield* connect(owner, { transports: ["polling"], auth: true })
      const direct = yield* connect(owner, { transports: ["websocket"] })
      const stranger = yield* connect(other)
      assert.deepStrictEqual(
        [stock, polling, direct, stranger].map(({ socket }) => socket.connected),
        [true, true, true, true]
      )
      // Stock clients begin with polling and go over to a web socket.
      yield* until(() => stock.socket.io.engine.transport.name === "websocket")
      const video = yield* addVideo({ owner: "owner" })
      const id = yield* comment("other", video.id, "hello")
      yield* until(() => [stock, polling, direct].every(({ told }) => told.length === 1))
      assert.deepStrictEqual(
        [stock, polling, direct].map(({ told }) => [told[0].type, told[0].comment.id, told[0].read]),
        Array.from({ length: 3 }, () => [2, id, false])
      )
      const listed = (yield* as("owner", "GET", "/api/v1/users/me/notifications?count=1")).json.data[0]
      assert.deepStrictEqual(stock.told[0], listed)
      assert.deepStrictEqual(stranger.told, [])
    }).pipe(Effect.scoped)
  )

  it.effect("AUT-11: refuses who shows no token, or one that opens nothing", () =>
    Effect.gen(function* () {
      for (const [token, words] of [
        [undefined, "No access token given"],
        ["f".repeat(40), "Access token is invalid"],
        ["{}", "Access token is invalid"]
      ] as const) {
        const { refusals, socket } = yield* connect(token, { transports: ["websocket"] })
        assert.deepStrictEqual([socket.connected, refusals], [false, [words]])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("AUT-11: ends with its session, and when its user is blocked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { access_token } = yield* login("other", "password1")
      const ending = yield* connect(access_token)
      const staying = yield* connect((yield* People).other)
      yield* send("/api/v1/users/revoke-token", { method: "POST", ...bearer(access_token) })
      yield* until(() => !ending.socket.connected)
      assert.isTrue(staying.socket.connected)
      yield* sql`update app_user set blocked = true where username = 'other'`
      yield* until(() => !staying.socket.connected)
      yield* sql`update app_user set blocked = false where username = 'other'`
    }).pipe(Effect.scoped)
  )

  it.effect("pushes what another node of the database made", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      const { socket, told } = yield* connect(owner)
      const video = yield* addVideo({ owner: "owner" })
      const sql = yield* SqlClient
      const [made] = yield* sql<{ id: number }>`
        insert into user_notification (user_id, type, web, event_id, video_id)
        select id, 6, true, 77, ${video.id} from app_user where username = 'owner' returning id`
      yield* sql`select pg_notify('notification', ${`made 77 ${made!.id} ${made!.id}`})`
      yield* until(() => told.length === 1)
      assert.deepStrictEqual([told[0].id, told[0].video.id], [made!.id, video.id])
      assert.isTrue(socket.connected)
    }).pipe(Effect.scoped, Effect.orDie)
  )

  it.effect("DOS-12: bounds what a client sends, and answers other origins", () =>
    Effect.gen(function* () {
      const path = "/socket.io/?EIO=4&transport=polling"
      const opened = yield* send(path, { headers: { origin: "https://elsewhere.example" } })
      assert.strictEqual(opened.status, 200)
      assert.strictEqual(opened.headers.get("access-control-allow-origin"), "*")
      const { sid, upgrades } = JSON.parse(opened.text.slice(1))
      assert.deepStrictEqual(upgrades, ["websocket"])
      const much = yield* send(`${path}&sid=${sid}`, { method: "POST", body: "4".repeat(20_000) })
      assert.strictEqual(much.status, 413)
      assert.strictEqual((yield* send(path, { method: "DELETE" })).status, 405)
      assert.strictEqual((yield* send("/socket.io/?EIO=4&transport=none")).status, 400)
      assert.strictEqual((yield* send("/socket.ioo")).status, 404)
      assert.strictEqual((yield* send("/socket.io?EIO=4&transport=polling")).status, 404)
      // What the library takes for a new session is bounded, however it is spelled.
      assert.deepStrictEqual(
        ["sid=a", "sid=", "sid=a&sid=", "%73id=a", "x#?sid=a", "ssid=a"].map((it) => asksForSession(`${path}&${it}`)),
        [false, true, true, false, true, true]
      )
      const preflight = yield* send(path, {
        method: "OPTIONS",
        headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" }
      })
      assert.isBelow(preflight.status, 300)
    })
  )

  it.effect("is open to so many of one address that have not said who they are, and to others still", () =>
    Effect.gen(function* () {
      const open = (init: RequestInit = {}) =>
        Effect.map(send("/socket.io/?EIO=4&transport=polling", init), ({ status }) => status)
      const statuses = yield* Effect.all(
        Array.from({ length: 130 }, () => open()),
        { concurrency: 30 }
      )
      assert.include(statuses, 429)
      const elsewhere = yield* open({ headers: { "x-forwarded-for": "203.0.113.77" } })
      assert.strictEqual(elsewhere, 200)
    })
  )
})
