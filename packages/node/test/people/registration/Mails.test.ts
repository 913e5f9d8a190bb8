import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { MailServer } from "../../support/MailServer.ts"
import { mailNode } from "../../support/MailNode.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { ask, decide, list, me, password, person, postJson, register, rootToken, tokenOf, wish } from "./Signup.ts"

const open = { enabled: true, requires_approval: false, requires_email_verification: true, limit: -1 }
const approved = { ...open, requires_approval: true }

const loginCode = Effect.fnUntraced(function* (username: string) {
  const answer = yield* postForm(yield* tokenForm({ grant_type: "password", username, password }))
  return answer.status === 200 ? 200 : (answer.json.code as string)
})

/** The link in the first mail to an address with this subject. */
const linkTo = Effect.fnUntraced(function* (address: string, subject = /./) {
  const server = yield* MailServer
  const mail = yield* server.waitFor(
    (it) => it.to.includes(address) && subject.test(it.subject) && it.text.includes("verificationString="),
    `a link to ${address}`
  )
  const url = new URL(/https?:\/\/\S+verificationString=\S+/.exec(mail.text)![0])
  return Object.fromEntries(url.searchParams) as Record<string, string>
})

/** Mails that were queued for an address, sent or not; they are sealed, so the kinds are all there is to see. */
const queued = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ kind: string }>`select payload ->> 'kind' as kind from job where type = 'email' order by id`
  return rows.map((row) => row.kind)
})

const registration = Effect.fnUntraced(function* (id: number) {
  const { json } = yield* list(yield* rootToken, "?count=100")
  return json.data.find((it: { id: number }) => it.id === id)
})

layer(mailNode({ signup: open }), { excludeTestServices: true })("Registering where addresses are verified", (it) => {
  it.effect("lets nobody in before the link of the mail was followed", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* register(person("anna"))).status, 200)
      assert.strictEqual(yield* loginCode("anna"), "email_not_verified")
      const { userId, verificationString } = yield* linkTo("anna@example.com")
      const verified = yield* postJson(`/api/v1/users/${userId}/verify-email`, { verificationString })
      assert.strictEqual(verified.status, 204, verified.text)
      const { json } = yield* me(yield* tokenOf("anna", password))
      assert.strictEqual(json.emailVerified, true)
    })
  )

  it.effect("sends nothing for a registration that was refused", () =>
    Effect.gen(function* () {
      const before = yield* queued
      assert.strictEqual((yield* register(person("anna", { email: "other@example.com" }))).status, 409)
      assert.strictEqual((yield* register(person("bert", { email: "Anna@example.com" }))).status, 409)
      assert.strictEqual((yield* register(person("bert", { password: "" }))).status, 400)
      assert.deepStrictEqual(yield* queued, before)
    })
  )
})

layer(mailNode({ signup: approved }), { excludeTestServices: true })("Asking where addresses are verified", (it) => {
  it.effect("mails moderators and the person, and tells who was accepted", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const users = yield* Users
      for (const [username, role] of [
        ["mod", 1],
        ["plain", 2]
      ] as const) {
        yield* users.create({ username, email: `${username}@example.com`, password, role })
      }
      const asked = yield* ask(wish("carl", { registrationReason: "I film <b>birds</b>" }))
      assert.strictEqual(asked.json.emailVerified, false)
      for (const moderator of ["admin@example.com", "mod@example.com"]) {
        const mail = yield* server.waitForMailTo(moderator)
        assert.include(mail.subject, "carl")
        assert.include(mail.text, "I film <b>birds</b>")
        assert.notInclude(mail.html, "<b>birds</b>")
      }
      const { registrationId, verificationString } = yield* linkTo("carl@example.com")
      assert.strictEqual(Number(registrationId), asked.json.id)
      const url = `/api/v1/users/registrations/${registrationId}/verify-email`
      assert.strictEqual((yield* postJson(url, { verificationString })).status, 204)
      assert.strictEqual((yield* registration(asked.json.id)).emailVerified, true)
      assert.strictEqual(yield* loginCode("carl"), "account_waiting_for_approval")
      const decided = yield* decide(asked.json.id, "accept", yield* rootToken, { moderationResponse: "Come in, carl" })
      assert.strictEqual(decided.status, 204)
      const welcome = yield* server.waitFor(
        (it) => it.to.includes("carl@example.com") && it.text.includes("Come in, carl")
      )
      assert.match(welcome.subject, /accepted/)
      const { json } = yield* me(yield* tokenOf("carl", password))
      assert.strictEqual(json.emailVerified, true)
      assert.isFalse(server.received.some((it) => it.to.includes("plain@example.com")))
    })
  )

  it.effect("gives an accepted person who has not verified yet another link", () =>
    Effect.gen(function* () {
      const { id } = (yield* ask(wish("dora"))).json
      yield* decide(id, "accept", yield* rootToken)
      assert.strictEqual(yield* loginCode("dora"), "email_not_verified")
      const server = yield* MailServer
      const mail = yield* server.waitFor((it) => it.to.includes("dora@example.com") && it.text.includes("userId="))
      const link = new URL(/https?:\/\/\S+verificationString=\S+/.exec(mail.text)![0]).searchParams
      const verificationString = link.get("verificationString")
      yield* postJson(`/api/v1/users/${link.get("userId")}/verify-email`, { verificationString })
      assert.strictEqual(yield* loginCode("dora"), 200)
    })
  )

  it.effect("tells who was rejected, by mail and after the right password", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const { id } = (yield* ask(wish("emil"))).json
      yield* decide(id, "reject", yield* rootToken, { moderationResponse: "No films of birds" })
      const mail = yield* server.waitFor(
        (it) => it.to.includes("emil@example.com") && it.text.includes("No films of birds")
      )
      assert.notMatch(mail.subject, /was accepted/)
      assert.strictEqual(yield* loginCode("emil"), "account_approval_rejected")
      const wrong = yield* postForm(yield* tokenForm({ grant_type: "password", username: "emil", password: "wrong1" }))
      assert.strictEqual(wrong.json.code, "invalid_grant")
    })
  )

  it.effect("sends nothing when the moderator prevents it", () =>
    Effect.gen(function* () {
      const quiet = { moderationResponse: "Quietly", preventEmailDelivery: true }
      const token = yield* rootToken
      const first = (yield* ask(wish("fritz"))).json.id
      const second = (yield* ask(wish("gina"))).json.id
      const before = yield* queued
      assert.strictEqual((yield* decide(first, "accept", token, quiet)).status, 204)
      assert.strictEqual((yield* decide(second, "reject", token, quiet)).status, 204)
      assert.deepStrictEqual(yield* queued, before)
      assert.strictEqual((yield* registration(first)).moderationResponse, "Quietly")
    })
  )

  it.effect("does not mail moderators who do not want it, are blocked, or never verified their address", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const users = yield* Users
      for (const username of ["muted", "blocked", "unproven"]) {
        const email = `${username}@example.com`
        const emailVerified = username === "unproven" ? false : null
        yield* users.create({ username, email, password, role: 1, emailVerified })
      }
      yield* sql`update app_user set blocked = true where username = 'blocked'`
      yield* sql`update app_user set notification_settings = '{"newUserRegistration": 1}' where username = 'muted'`
      const before = (yield* queued).filter((kind) => kind === "RegistrationRequested").length
      assert.strictEqual((yield* ask(wish("hans"))).status, 200)
      const after = (yield* queued).filter((kind) => kind === "RegistrationRequested").length
      assert.strictEqual(after - before, 2)
    })
  )

  it.effect("forgets the link with the registration", () =>
    Effect.gen(function* () {
      const { id } = (yield* ask(wish("ida"))).json
      const { verificationString } = yield* linkTo("ida@example.com")
      const token = yield* rootToken
      const headers = { authorization: `Bearer ${token}` }
      yield* send(`/api/v1/users/registrations/${id}`, { method: "DELETE", headers })
      const answer = yield* postJson(`/api/v1/users/registrations/${id}/verify-email`, { verificationString })
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(yield* loginCode("ida"), "invalid_grant")
    })
  )
})
