import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MailingPortions } from "../../../src/instance/mailing/MailingTask.ts"
import { UnsubscribeLinks } from "../../../src/social/notification/UnsubscribeLinks.ts"
import { MailServer } from "../../support/MailServer.ts"
import { mailNode } from "../../support/MailNode.ts"
import { testNode } from "../about/TestNode.ts"
import { call, enrol, mails, rootToken } from "../../people/user/UserCalls.ts"

const path = "/mailings"

/** Mails that wait for the users of an instance, by the number of their kind. */
const announcements = Effect.map(mails, (kinds) => kinds.filter((kind) => kind === "Announcement").length)

/** As if the pause between two portions were over. */
const pauseIsOver = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update mailing set next_at = now()`
})

const handOver = Effect.gen(function* () {
  const { next } = yield* MailingPortions
  yield* pauseIsOver
  while (yield* next) yield* pauseIsOver
})

const writes = { subject: "News of {{instanceName}}", body: "Hello **{{username}}**,\n\nsee <b>{{instanceUrl}}</b>." }

layer(mailNode({ instance: { name: "Films" }, email: { announcements: { per_minute: 12 } } }), {
  excludeTestServices: true,
  timeout: 120_000
})("mails of administrators", (it) => {
  it.effect("reach everybody who takes them, with a link that ends them", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const links = yield* UnsubscribeLinks
      const sql = yield* SqlClient
      const root = yield* rootToken
      const taker = yield* enrol("ada_l")
      const refuser = yield* enrol("refuser")
      const blocked = yield* enrol("blocked")
      const unverified = yield* enrol("unverified")
      const settings = yield* call("PUT", "/me/notification-settings", refuser.token, { announcement: 0 })
      assert.strictEqual(settings.status, 204)
      yield* sql`update app_user set blocked = true where id = ${blocked.id}`
      yield* sql`update app_user set email_verified = false where id = ${unverified.id}`

      const begun = yield* call("POST", path, root, writes)
      assert.strictEqual(begun.status, 200, begun.text)
      const { id } = begun.json.mailing
      yield* handOver
      const mail = yield* server.waitForMailTo("ada_l@example.com")
      assert.strictEqual(mail.subject, "[Kinora] News of Films")
      assert.include(mail.text, "Hello **ada_l**,")
      assert.include(mail.html, "Hello <strong>ada_l</strong>,")
      assert.notInclude(mail.html, "<b>http")
      const [header = ""] = mail.headers.get("list-unsubscribe") ?? []
      assert.deepStrictEqual(mail.headers.get("list-unsubscribe-post"), ["List-Unsubscribe=One-Click"])
      const token = new URL(header.slice(1, -1)).searchParams.get("token") ?? ""
      assert.deepStrictEqual(Option.getOrUndefined(yield* links.read(token)), {
        userId: taker.id,
        setting: "announcement"
      } as const)

      const state = (yield* call("GET", `${path}/${id}`, root)).json
      assert.deepInclude(state, { state: "sent", queued: 2, author: "root", userIds: null })
      assert.isNotNull(state.finishedAt)
      yield* server.waitForMailTo("admin@example.com")
      for (const name of ["refuser", "blocked", "unverified"]) assert.notInclude(server.asked, `${name}@example.com`)
    })
  )

  it.effect("to users by name reach them whatever they chose, and have no such link", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const root = yield* rootToken
      const user = yield* enrol("named")
      yield* call("PUT", "/me/notification-settings", user.token, { announcement: 0 })
      const about = { subject: "Your account", body: "Please write to us.", userIds: [user.id] }
      assert.strictEqual((yield* call("POST", path, root, about)).status, 200)
      yield* handOver
      const mail = yield* server.waitForMailTo("named@example.com")
      assert.isUndefined(mail.headers.get("list-unsubscribe"))
      assert.strictEqual((yield* call("GET", `${path}?count=1`, root)).json.data[0].queued, 1)
    })
  )

  it.effect("are handed over in portions, and end when they are cancelled", () =>
    Effect.gen(function* () {
      const { next } = yield* MailingPortions
      const root = yield* rootToken
      for (const n of [1, 2, 3, 4]) yield* enrol(`portion${n}`, 1)
      const before = yield* announcements
      const { json } = yield* call("POST", path, root, { ...writes, role: 1 })
      const { id } = json.mailing
      // 12 in a minute: 2 in ten seconds.
      assert.isTrue(yield* next)
      assert.strictEqual((yield* announcements) - before, 2)
      assert.isFalse(yield* next)
      assert.deepInclude((yield* call("GET", `${path}/${id}`, root)).json, { state: "sending", queued: 2, role: 1 })
      assert.strictEqual((yield* call("POST", `${path}/${id}/cancel`, root)).status, 204)
      yield* handOver
      assert.strictEqual((yield* announcements) - before, 2)
      assert.strictEqual((yield* call("GET", `${path}/${id}`, root)).json.state, "cancelled")
      assert.strictEqual((yield* call("POST", `${path}/${id}/cancel`, root)).status, 409)
      assert.strictEqual((yield* call("POST", `${path}/999999/cancel`, root)).status, 404)
    })
  )

  it.effect("can be looked at first, and are refused where they name what is unknown", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const moderator = yield* enrol("moderator", 1)
      const shown = yield* call("POST", `${path}/preview`, root, writes)
      assert.deepInclude(shown.json, { subject: "[Kinora] News of Films" })
      assert.include(shown.json.html, "<strong>root</strong>")
      const unknown = yield* call("POST", path, root, { ...writes, body: "{{password}}" })
      assert.strictEqual(unknown.status, 400)
      assert.include(unknown.text, "{{password}}")
      assert.strictEqual((yield* call("POST", path, moderator.token, writes)).status, 403)
      assert.strictEqual((yield* call("GET", path, moderator.token)).status, 403)
    })
  )
})

layer(testNode(), { excludeTestServices: true, timeout: 120_000 })("without a mail server", (it) => {
  it.effect("nothing is taken that could not be sent", () =>
    Effect.gen(function* () {
      const answer = yield* call("POST", path, yield* rootToken, writes)
      assert.strictEqual(answer.status, 409)
    })
  )
})
