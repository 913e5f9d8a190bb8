import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../about/Client.ts"
import { testNode } from "../about/TestNode.ts"
import { mailNode } from "../../support/MailNode.ts"
import { MailServer } from "../../support/MailServer.ts"

const path = "/api/v1/server/contact"

const contact = (fields: Record<string, unknown>) =>
  send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields) })

const good = {
  fromName: "Bob\r\nBcc: all@example.com",
  fromEmail: "bob@example.com",
  subject: "Hi\r\nX: y",
  body: "A <b>question</b>"
}

layer(mailNode({ admin: { email: "ada@example.com" } }), { excludeTestServices: true })("the contact form", (it) => {
  it.effect("says what is wrong with it", () =>
    Effect.gen(function* () {
      const empty = yield* contact({})
      assert.strictEqual(empty.status, 400)
      assert.sameMembers(Object.keys(empty.json["invalid-params"]), ["fromName", "fromEmail", "body"])
      for (const [field, value] of [
        ["fromName", "x".repeat(121)],
        ["fromEmail", "nobody"],
        ["fromEmail", "bob@example.com\r\nBcc: all@example.com"],
        ["subject", "x".repeat(121)],
        ["body", "no"],
        ["body", "x".repeat(5001)]
      ] as const) {
        const answer = yield* contact({ ...good, [field]: value })
        assert.strictEqual(answer.status, 400, field)
        assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), [field])
      }
    })
  )

  it.effect("is a mail to the administrator, once an hour", () =>
    Effect.gen(function* () {
      const { waitForMailTo } = yield* MailServer
      const [first, second] = yield* Effect.all([contact(good), contact(good)], { concurrency: 2 })
      assert.sameMembers([first.status, second.status], [204, 403])
      const mail = yield* waitForMailTo("ada@example.com")
      assert.deepStrictEqual(mail.to, ["ada@example.com"])
      assert.include(mail.subject, "Hi X: y")
      assert.include(mail.text, "> A <b>question</b>")
      assert.notInclude(mail.html, "<b>question")
      assert.match(mail.raw, /^Reply-To: .*bob@example\.com/m)
      assert.notMatch(mail.raw.split("\r\n\r\n")[0]!, /^(?:Bcc|X):/m)
      assert.strictEqual((yield* contact(good)).status, 403)
      const sql = yield* SqlClient
      assert.lengthOf(yield* sql`select 1 from job where type = 'email'`, 1)
    })
  )
})

layer(testNode(), { excludeTestServices: true })("without mail", (it) => {
  it.effect("there is no contact form", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* contact(good)).status, 409)
      assert.isFalse((yield* send("/api/v1/config")).json.contactForm.enabled)
    })
  )
})
