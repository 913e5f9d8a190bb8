import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MailServer } from "../../support/MailServer.ts"
import type { Mail } from "../../../src/platform/mail/Mail.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { hurry, mailIn } from "./MailJobs.ts"
import { mailWorld } from "./MailWorld.ts"
import { sampleMails } from "./SampleMails.ts"

const queue = (mail: Mail) => Mailer.use((mailer) => mailer.queue(mail))

const real = { excludeTestServices: true, timeout: "60 seconds" } as const

layer(mailWorld({ instance: { name: "Test Films" } }), real)("a node with a mail server", (it) => {
  it.effect("sends what was committed, as plain text and HTML, and nothing of what was rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const server = yield* MailServer
      yield* queue({ ...sampleMails.ResetPassword, to: "rolled-back@example.com" }).pipe(
        Effect.andThen(Effect.fail("no" as const)),
        sql.withTransaction,
        Effect.ignore
      )
      yield* sql.withTransaction(queue({ ...sampleMails.ResetPassword, to: "committed@example.com" }))
      const mail = yield* server.waitForMailTo("committed@example.com")
      assert.strictEqual(mail.from, "kinora@instance.test")
      assert.deepStrictEqual(mail.to, ["committed@example.com"])
      assert.deepStrictEqual(mail.headers.get("from"), ["Test Films <kinora@instance.test>"])
      assert.strictEqual(mail.subject, "[Kinora] Set a new password")
      assert.deepStrictEqual(mail.headers.get("auto-submitted"), ["auto-generated"])
      assert.include(mail.text, `Hello ada,\n\n`)
      assert.include(mail.text, `\n${sampleMails.ResetPassword.link}\n`)
      assert.include(mail.html, `href="${sampleMails.ResetPassword.link.replaceAll("&", "&amp;")}"`)
      yield* mailIn("completed")
      assert.notInclude(server.asked, "rolled-back@example.com")
      const [{ count } = { count: -1 }] = yield* sql<{
        count: number
      }>`select count(*) as count from job where type = 'email'`
      assert.strictEqual(count, 1)
    })
  )

  it.effect("keeps nothing of a mail that went out", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      yield* queue({ ...sampleMails.VerifyEmail, to: "gone@example.com" })
      yield* server.waitForMailTo("gone@example.com")
      const row = yield* mailIn("completed")
      assert.deepStrictEqual(row.payload, { kind: "VerifyEmail" })
    })
  )

  it.effect("waits for a server that is away, and delivers once when it is back", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      yield* server.stop
      yield* queue({ ...sampleMails.PasswordChanged, to: "patient@example.com" })
      const waiting = yield* mailIn("delayed")
      assert.strictEqual(waiting.attempts, 1)
      assert.match(waiting.error ?? "", /ECONNREFUSED/)
      yield* server.start
      yield* hurry
      yield* server.waitForMailTo("patient@example.com")
      const done = yield* mailIn("completed")
      assert.isAtLeast(done.attempts, 2)
      assert.strictEqual(server.received.filter((mail) => mail.to.includes("patient@example.com")).length, 1)
    })
  )

  it.effect("tries again after a temporary refusal, with the mail still sealed", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      yield* server.refuse(() => ({ code: 451, message: "greylisted, come back later" }))
      yield* queue({ ...sampleMails.VerifyEmail, to: "grey@example.com" })
      const waiting = yield* mailIn("delayed")
      assert.include(waiting.error ?? "", "greylisted")
      for (const secret of ["grey@example.com", "secret-token"]) assert.notInclude(waiting.everything, secret)
      // Ids may have these letters, too.
      assert.notMatch(waiting.everything, /\bada\b/)
      yield* server.refuse(() => undefined)
      yield* hurry
      yield* server.waitForMailTo("grey@example.com")
      yield* mailIn("completed")
    })
  )

  it.effect("gives up at once after a permanent refusal, and keeps nothing of the mail", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      yield* server.refuse((address) => ({ code: 550, message: `no such user: ${address}` }))
      yield* queue({ ...sampleMails.CreatePassword, to: "nobody@example.com" })
      const failed = yield* mailIn("failed")
      yield* server.refuse(() => undefined)
      assert.strictEqual(failed.attempts, 1)
      assert.deepStrictEqual(failed.payload, { kind: "CreatePassword" })
      assert.include(failed.error ?? "", "no such user")
      for (const secret of ["nobody@example.com", "secret-token"]) assert.notInclude(failed.everything, secret)
      assert.strictEqual(server.asked.filter((address) => address === "nobody@example.com").length, 1)
    })
  )

  it.effect.each([
    "one@example.com, two@example.com",
    "one@example.com\r\nBcc: two@example.com",
    "one@example.com\r\nRCPT TO:<two@example.com>",
    "-oQ/tmp/x@example.com",
    '"one two"@example.com',
    "<one@example.com>",
    "one@two@example.com",
    "one@example.com\u2028",
    "no address"
  ])("never asks the server for %j", (to) =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const before = server.asked.length
      yield* queue({ ...sampleMails.UserUnblocked, to })
      const failed = yield* mailIn("failed")
      assert.strictEqual(failed.attempts, 1)
      assert.strictEqual(server.asked.length, before)
    })
  )

  it.effect("lets no text from people become a header, a recipient or markup", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const username = 'eve\r\nBcc: victim@example.com\r\n\r\n<img src="x">'
      yield* queue({ ...sampleMails.RegistrationRequested, to: "moderator@example.com", username })
      const mail = yield* server.waitForMailTo("moderator@example.com")
      assert.deepStrictEqual(mail.to, ["moderator@example.com"])
      assert.isUndefined(mail.headers.get("bcc"))
      assert.strictEqual(mail.headers.get("to")?.length, 1)
      assert.strictEqual(mail.subject, '[Kinora] eve Bcc: victim@example.com <img src="x"> asks for an account')
      assert.notMatch(mail.html, /<img|<script/)
      assert.include(mail.html, "&lt;script&gt;alert(&quot;hi&quot;)&lt;/script&gt;")
      assert.include(mail.text, `> <script>alert("hi")</script>`)
    })
  )

  it.effect("sends every kind of mail, each with words of its own", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const subjects = new Set<string>()
      for (const sample of Object.values(sampleMails)) {
        const to = `${sample._tag.toLowerCase()}@example.com`
        yield* queue({ ...sample, to })
        const mail = yield* server.waitForMailTo(to)
        subjects.add(mail.subject)
        assert.include(mail.text, "Test Films")
        assert.include(mail.html, "Test Films")
        if ("link" in sample) assert.include(mail.text, sample.link)
        assert.notMatch(mail.text + mail.html, /undefined|\[object|null/)
        assert.notInclude(mail.html, "<b>in</b>")
        if (sample._tag === "RegistrationRejected") {
          assert.include(mail.html, "Sorry,<br />no &lt;i&gt;room&lt;/i&gt;.")
          assert.include(mail.text, "> Sorry,\n> no <i>room</i>.")
        }
      }
      // Both kinds of verification say the same.
      assert.strictEqual(subjects.size, Object.keys(sampleMails).length - 1)
    })
  )
})
