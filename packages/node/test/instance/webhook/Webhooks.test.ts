import { assert, layer } from "@effect/vitest"
import { WebhookMessage } from "@kinora/domain/wire/WebhookMessage"
import { Clock, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { WebhookTasks } from "../../../src/instance/webhook/WebhookTasks.ts"
import { until } from "../../support/KinoraProcess.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { call as userCall, enrol, rootToken } from "../../people/user/UserCalls.ts"
import { testNode } from "../about/TestNode.ts"
import { accepts, isSigned, type Receiver, receiver } from "./Receiver.ts"

const call = (method: string, path: string, token: string, body?: unknown) =>
  userCall(method, `/../server/webhooks${path}`, token, body)

const node = (overrides = {}) =>
  WebhookTasks.pipe(
    Layer.provideMerge(
      testNode({ webhooks: { allow_private_addresses: true }, signup: { enabled: true }, ...overrides })
    )
  )

const decode = Schema.decodeUnknownEffect(WebhookMessage)

/** A webhook for a receiver, with its secret. */
const hook = Effect.fnUntraced(function* ({ url }: Receiver, events: ReadonlyArray<string>) {
  const added = yield* call("POST", "", yield* rootToken, { url, events })
  assert.strictEqual(added.status, 200, added.text)
  return added.json.webhook as { readonly id: number; readonly secret: string }
})

const read = Effect.fnUntraced(function* (id: number, path = "") {
  return (yield* call("GET", `/${id}${path}`, yield* rootToken)).json
})

// oxlint-disable-next-line typescript/no-explicit-any -- deliveries are compared field by field
type Logged = any

/** Waits until a delivery is as wanted. */
const delivery = Effect.fnUntraced(function* (id: number, what: string, isWanted: (it: Logged) => boolean) {
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof read>>>()
  return yield* Effect.promise(() =>
    until(what, 60, async () => {
      const { data } = await Effect.runPromiseWith(context)(read(id, "/deliveries"))
      return data.find(isWanted)
    })
  )
})

/** As if the wait until the next attempt were over. */
const waitIsOver = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update webhook set rest_until = '-infinity'`
  yield* sql`update webhook_delivery set next_at = now() - interval '1 second' where state = 1`
  yield* sql`select pg_notify('webhook', '')`
})

const marks = Effect.flatMap(SqlClient, (sql) => sql`select 1 from webhook_event`)

layer(node(), { excludeTestServices: true, timeout: 120_000 })("webhooks", (it) => {
  it.effect("are kept by administrators, and show their secret once", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const moderator = yield* enrol("hook_moderator", 1)
      assert.strictEqual((yield* call("GET", "", moderator.token)).status, 403)
      const url = "https://receiver.example/hook"
      for (const [wrong, name] of [
        [{ url: "ftp://receiver.example/", events: ["live.started"] }, "url"],
        [{ url: "https://user:secret@receiver.example/", events: ["live.started"] }, "url"],
        [{ url: "http://203.0.113.1/", events: ["live.started"] }, "url"],
        [{ url: "http://169.254.169.254/latest", events: ["live.started"] }, "url"],
        [{ url, events: [] }, "events"],
        [{ url, events: ["video.seen"] }, "events"],
        [{ url, events: ["live.started"], secret: "short" }, "secret"]
      ] as const) {
        const answer = yield* call("POST", "", root, wrong)
        assert.strictEqual(answer.status, 400, answer.text)
        assert.property(answer.json["invalid-params"], name, answer.text)
      }
      const added = yield* call("POST", "", root, {
        url,
        events: ["live.started", "live.started", "live.ended"],
        description: "Of the church"
      })
      const { id, secret } = added.json.webhook
      assert.match(secret, /^whsec_/)
      const shown = yield* read(id)
      assert.deepInclude(shown, {
        url,
        description: "Of the church",
        active: true,
        events: ["live.started", "live.ended"]
      })
      assert.deepInclude(shown, {
        disabledReason: null,
        failingSince: null,
        waiting: 0,
        failed: 0,
        lastDeliveredAt: null
      })
      assert.notInclude(JSON.stringify(shown), secret)
      const changed = yield* call("PUT", `/${id}`, root, { active: false, events: ["user.created"] })
      assert.strictEqual(changed.status, 204, changed.text)
      assert.deepInclude(yield* read(id), { url, active: false, events: ["user.created"] })
      for (const path of ["ping", "replay"]) {
        const refused = yield* call("POST", `/${id}/${path}`, root, { since: "2026-01-01T00:00:00.000Z" })
        assert.strictEqual(refused.status, 409, refused.text)
      }
      const own = `whsec_${Buffer.alloc(64, 7).toString("base64")}`
      assert.deepStrictEqual((yield* call("POST", `/${id}/secret`, root, { secret: own })).json, { secret: own })
      const other = (yield* call("POST", `/${id}/secret`, root, {})).json.secret
      assert.notStrictEqual(other, secret)
      assert.strictEqual((yield* call("DELETE", `/${id}`, root)).status, 204)
      assert.strictEqual((yield* call("GET", `/${id}`, root)).status, 404)
      assert.strictEqual((yield* call("GET", `/${id}/deliveries`, root)).status, 404)
      const sql = yield* SqlClient
      const entries = yield* sql<{ action: string; text: string }>`
        select action, to_jsonb(e)::text as text from audit_entry e where domain = 'webhook' order by id`
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["create", "update", "renew-secret", "renew-secret", "delete"]
      )
      assert.notInclude(entries.map(({ text }) => text).join(), "whsec_")
    })
  )

  it.effect("are sent what happens, signed, and nothing that they do not want", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receives = yield* receiver
      const { id, secret } = yield* hook(receives, [
        "video.published",
        "video.failed",
        "report.created",
        "registration.created",
        "comment.held"
      ])
      const maker = yield* enrol("hook_maker")
      const video = yield* addVideo({ owner: "hook_maker", state: 2 })
      yield* sql`update video set state = 1 where id = ${video.id}`
      const [published] = yield* receives.messages("video.published")
      assert.isTrue(isSigned(published!, secret))
      assert.isFalse(isSigned(published!, "whsec_AAAA"))
      const age = Math.abs(Number(published!.headers["webhook-timestamp"]) - (yield* Clock.currentTimeMillis) / 1000)
      assert.isBelow(age, 60)
      assert.strictEqual(published!.body.id, published!.headers["webhook-id"])
      assert.deepInclude(published!.body.data.video, { id: video.id, uuid: video.uuid, name: "Video of hook_maker" })
      assert.deepStrictEqual(published!.body.data.video.privacy, { id: 1, label: "Public" })
      assert.match(published!.body.data.video.url, /^http:\/\/localhost:9000\/w\/\w{22}$/)

      const broken = yield* addVideo({ owner: "hook_maker", state: 2 })
      yield* sql`update video set state = 7 where id = ${broken.id}`
      const [failed] = yield* receives.messages("video.failed")
      assert.deepInclude(failed!.body.data, { reason: "transcoding", import: null })
      yield* sql`
        with i as (insert into video_import (user_id, target_url, state, error)
          values (${maker.id}, 'https://user:password@far.example/v', 6, 'nothing there') returning id)
        select id from i`
      yield* sql`update video_import set state = 3 where state = 6`
      const [, imported] = yield* receives.messages("video.failed", 2)
      assert.deepInclude(imported!.body.data, { reason: "import", video: null })
      assert.strictEqual(imported!.body.data.import.error, "nothing there")
      assert.notInclude(imported!.text, "password")

      yield* sql`
        insert into abuse (reason, predefined_reasons, reporter_account_id, kind, video_id, target)
        values ('Not nice', '{1,2}', ${maker.accountId}, 'video', ${video.id}, '{}')`
      const [report] = yield* receives.messages("report.created")
      assert.deepInclude(report!.body.data.report, { kind: "video", reason: "Not nice", remote: false })
      assert.strictEqual(report!.body.data.report.predefinedReasons.length, 2)
      yield* sql`
        insert into user_registration (username, email, password_hash, registration_reason)
        values ('asks', 'asks@example.com', 'hash', 'I make films')`
      const [asked] = yield* receives.messages("registration.created")
      assert.deepInclude(asked!.body.data.registration, { username: "asks", reason: "I make films" })
      assert.notInclude(asked!.text, "asks@example.com")
      const [comment] = yield* sql<{ id: number }>`
        insert into video_comment (url, video_id, account_id, text, held_for_review)
        values ('http://localhost:9000/c/1', ${video.id}, ${maker.accountId}, 'Hm', true) returning id`
      const [held] = yield* receives.messages("comment.held")
      assert.strictEqual(held!.body.data.comment.id, comment!.id)
      assert.strictEqual(held!.body.data.video.id, video.id)

      for (const { body } of receives.received) yield* decode(body)
      assert.notInclude(
        receives.received.map(({ body }) => body.type),
        "user.created"
      )
      const log = yield* read(id, "/deliveries?count=2")
      assert.strictEqual(log.total, 6)
      assert.deepInclude(log.data[0], {
        type: "comment.held",
        state: "delivered",
        attempts: 1,
        status: 204,
        error: null
      })
      assert.strictEqual(log.data[0].body, held!.text)
      assert.deepInclude(yield* read(id), { waiting: 0, failed: 0, failingSince: null })
      assert.deepStrictEqual(yield* marks, [])

      const root = yield* rootToken
      const next = (yield* call("POST", `/${id}/secret`, root, {})).json.secret
      yield* call("POST", `/${id}/ping`, root)
      const [both] = yield* receives.messages("ping")
      assert.deepStrictEqual([isSigned(both!, next), isSigned(both!, secret)], [true, true])
      yield* sql`update webhook set former_until = now() where id = ${id}`
      yield* call("POST", `/${id}/ping`, root)
      const [, alone] = yield* receives.messages("ping", 2)
      assert.deepStrictEqual([isSigned(alone!, next), isSigned(alone!, secret)], [true, false])
    }).pipe(Effect.scoped)
  )

  it.effect("are sent the sessions of a live that somebody could see", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receives = yield* receiver
      yield* hook(receives, ["live.started", "live.ended", "video.published"])
      yield* enrol("hook_streamer")
      const { id } = yield* addVideo({ owner: "hook_streamer", state: 4 })
      yield* sql`update video set is_live = true where id = ${id}`
      yield* sql`insert into live_session (video_id, holder, save_replay) values (${id}, 'here', false)`
      yield* sql`update video set state = 1 where id = ${id}`
      const [started] = yield* receives.messages("live.started")
      yield* sql`update live_session set ended_at = now(), error = 2 where video_id = ${id}`
      yield* sql`update video set state = 5 where id = ${id}`
      const [ended] = yield* receives.messages("live.ended")
      assert.strictEqual(started!.body.data.session.id, ended!.body.data.session.id)
      assert.strictEqual(ended!.body.data.session.error, 2)
      assert.isString(ended!.body.data.session.endedAt)
      for (const { body } of receives.received) yield* decode(body)
      assert.strictEqual(receives.received.length, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("are tried again, until they take it or become inactive", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const root = yield* rootToken
      const receives = yield* receiver
      const { id } = yield* hook(receives, ["user.created"])
      const long = `Not now\u0000 ${"x".repeat(5_000)}`
      receives.answers((response) => void response.writeHead(500).end(long))
      const user = yield* enrol("hook_tried")
      const tried = yield* delivery(id, "a failed attempt", (it) => it.attempts === 1)
      assert.deepInclude(tried, { state: "waiting", status: 500, error: "The receiver answered 500." })
      assert.strictEqual(tried.answer.length, 1_000)
      assert.isNotNull((yield* read(id)).failingSince)
      const elsewhere = yield* receiver
      receives.answers((response) => void response.writeHead(302, { location: elsewhere.url }).end())
      yield* waitIsOver
      const second = yield* delivery(id, "a second attempt", (it) => it.attempts === 2)
      assert.include(second.error, "Redirects are not followed")
      assert.strictEqual(elsewhere.received.length, 0)
      receives.answers(accepts)
      yield* waitIsOver
      yield* delivery(id, "a delivery", (it) => it.state === "delivered")
      const ids = new Set(receives.received.map(({ headers }) => headers["webhook-id"]))
      assert.strictEqual(ids.size, 1)
      assert.deepInclude(receives.received[0]!.body.data.user, { id: user.id, username: "hook_tried" })
      assert.isNull((yield* read(id)).failingSince)

      receives.answers((response) => void response.writeHead(503, { "retry-after": "120" }).end())
      const ping = (yield* call("POST", `/${id}/ping`, root)).json.delivery.id
      yield* delivery(id, "an attempt", (it) => it.id === ping && it.attempts === 1)
      const [rests] = yield* sql<{ seconds: number }>`
        select extract(epoch from rest_until - now())::int as seconds from webhook where id = ${id}`
      assert.isAbove(rests!.seconds, 100)

      // The last attempt.
      yield* sql`update webhook_delivery set attempts = 9 where id = ${ping}`
      receives.answers((response) => void response.writeHead(404).end())
      yield* waitIsOver
      yield* delivery(id, "the last attempt", (it) => it.id === ping && it.state === "failed")
      receives.answers(accepts)
      const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { minutes: 1 }))
      assert.deepStrictEqual((yield* call("POST", `/${id}/replay`, root, { since })).json, { replayed: 1 })
      yield* delivery(id, "the replay", (it) => it.id === ping && it.state === "delivered" && it.attempts === 1)
      assert.strictEqual((yield* call("POST", `/${id}/deliveries/${ping}/replay`, root)).status, 204)
      assert.strictEqual((yield* call("POST", `/${id}/deliveries/999999/replay`, root)).status, 404)
      yield* delivery(id, "the second replay", (it) => it.id === ping && it.state === "delivered")
      assert.strictEqual((yield* receives.messages("ping", 4)).length, 4)

      yield* sql`update webhook set failing_since = now() - interval '6 days' where id = ${id}`
      receives.answers((response) => void response.writeHead(500).end())
      yield* call("POST", `/${id}/ping`, root)
      yield* delivery(id, "the end", (it) => it.state === "failed")
      assert.deepInclude(yield* read(id), { active: false, disabledReason: "failing" })
      assert.strictEqual((yield* call("PUT", `/${id}`, root, { active: true })).status, 204)
      assert.deepInclude(yield* read(id), { active: true, disabledReason: null, failingSince: null })
      receives.answers((response) => void response.writeHead(410).end())
      yield* call("POST", `/${id}/ping`, root)
      yield* delivery(id, "410", (it) => it.status === 410)
      assert.deepInclude(yield* read(id), { active: false, disabledReason: "gone", waiting: 0 })
      const listed = (disabled: boolean) =>
        Effect.map(call("GET", `?disabled=${disabled}`, root), ({ json }) => json.data.map((it: Logged) => it.id))
      assert.deepStrictEqual(yield* listed(true), [id])
      assert.notInclude(yield* listed(false), id)
    }).pipe(Effect.scoped)
  )

  it.effect("that do not answer are left alone, while others are served", () =>
    Effect.gen(function* () {
      const receives = yield* receiver
      const gone = yield* Effect.scoped(receiver)
      const silent = yield* hook(gone, ["user.created"])
      yield* hook(receives, ["user.created"])
      yield* enrol("hook_first")
      yield* enrol("hook_second")
      yield* receives.messages("user.created", 2)
      const tried = yield* delivery(silent.id, "an attempt", (it) => it.attempts === 1)
      assert.include(tried.error, "ECONNREFUSED")
      assert.isNull(tried.status)
      const { data } = yield* read(silent.id, "/deliveries?state=waiting")
      // The second waits until the first was taken.
      assert.deepStrictEqual(
        data.map(({ attempts }: { attempts: number }) => attempts),
        [0, 1]
      )
    }).pipe(Effect.scoped)
  )
})

layer(node({ webhooks: {} }), { excludeTestServices: true, timeout: 60_000 })(
  "webhooks of an instance as it is set up",
  (it) => {
    it.effect("reach no private address, neither by number nor by name", () =>
      Effect.gen(function* () {
        const root = yield* rootToken
        const sql = yield* SqlClient
        for (const url of ["http://example.org/", "https://127.0.0.1/", "https://[::1]/", "https://10.1.2.3/"]) {
          const answer = yield* call("POST", "", root, { url, events: ["user.created"] })
          assert.strictEqual(answer.status, 400, url)
          assert.include(answer.text, "webhooks.allow_private_addresses")
        }
        const added = yield* call("POST", "", root, { url: "https://receiver.example/", events: ["user.created"] })
        // As a name that resolves to such an address.
        yield* sql`update webhook set url = 'https://127.0.0.1/' where id = ${added.json.webhook.id}`
        yield* call("POST", `/${added.json.webhook.id}/ping`, root)
        const refused = yield* delivery(added.json.webhook.id, "a refusal", (it) => it.attempts === 1)
        assert.include(refused.error, "Refused")
      })
    )
  }
)
