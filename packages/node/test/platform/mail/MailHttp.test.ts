import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { mailNode } from "../../support/MailNode.ts"
import { MailServer } from "../../support/MailServer.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { mailIn, newestMail } from "./MailJobs.ts"
import { sampleMails } from "./SampleMails.ts"

const real = { excludeTestServices: true, timeout: "60 seconds" } as const

const mailsListed = Effect.gen(function* () {
  const { access_token } = yield* login("root", rootPassword)
  return yield* send("/api/v1/jobs?jobType=email", bearer(access_token))
})

layer(mailNode({}, { sending: false }), real)("a mail that waits", (it) => {
  it.effect("cannot be read in the database, nor from the API", () =>
    Effect.gen(function* () {
      yield* Mailer.use((mailer) => mailer.queue(sampleMails.ResetPassword))
      const row = yield* newestMail
      assert.strictEqual(row.state, "waiting")
      assert.deepStrictEqual(Object.keys(row.payload).sort(), ["kind", "sealed"])
      for (const secret of ["secret-token", "ada@", "example.com"]) assert.notInclude(row.everything, secret)
      const listed = yield* mailsListed
      assert.deepStrictEqual(listed.json.data[0].data, { kind: "ResetPassword" })
      assert.notInclude(listed.text, row.payload["sealed"] as string)
    })
  )
})

layer(mailNode({ contact_form: { enabled: true } }), real)("a node with mail", (it) => {
  it.effect("sends, says so in its configuration, and shows the kind of what it sent", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const config = (yield* send("/api/v1/config")).json
      assert.deepStrictEqual([config.email, config.contactForm], [{ enabled: true }, { enabled: true }])
      yield* Mailer.use((mailer) => mailer.queue(sampleMails.VerifyEmail))
      yield* server.waitForMailTo("ada@example.com")
      yield* mailIn("completed")
      const listed = yield* mailsListed
      assert.deepStrictEqual(listed.json.data[0].data, { kind: "VerifyEmail" })
    })
  )
})

layer(testNode({ contact_form: { enabled: true } }), real)("a node without mail", (it) => {
  it.effect("says so in its configuration", () =>
    Effect.gen(function* () {
      const config = (yield* send("/api/v1/config")).json
      assert.deepStrictEqual([config.email, config.contactForm], [{ enabled: false }, { enabled: false }])
    })
  )
})
