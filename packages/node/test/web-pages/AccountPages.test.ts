import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { login, postForm, send, tokenForm } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../support/Browser.ts"
import { MailServer } from "../support/MailServer.ts"
import { Users } from "../../src/people/user/Users.ts"
import { EmailVerification } from "../../src/people/verification/EmailVerification.ts"
import { accountNode } from "./support/AccountNode.ts"

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const password = "password1"

const addUser = Effect.fnUntraced(function* (username: string) {
  const email = `${username}@example.com`
  const { userId } = yield* Users.use((users) => users.create({ username, email, password, role: 2 }))
  return { id: userId, email, username }
})

/** The link in the newest mail to an address, on the server of the suite. */
const linkTo = Effect.fnUntraced(function* (address: string, subject: string) {
  const server = yield* MailServer
  const mail = yield* server.waitFor(
    (it) => it.to.includes(address) && it.subject.includes(subject),
    `"${subject}" for ${address}`
  )
  const link = /https?:\/\/\S+\?\S+/.exec(mail.text)?.[0] ?? (yield* Effect.die(`no link in:\n${mail.text}`))
  const { pathname, search } = new URL(link)
  return `${yield* baseUrl}${pathname}${search}`
})

const json = (body: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" }
})

/** Users whose address is not verified may not log in here. */
const logsIn = Effect.fnUntraced(function* (username: string) {
  const answer = yield* postForm(yield* tokenForm({ grant_type: "password", username, password }))
  return answer.status === 200 ? "yes" : (answer.json.code as string)
})

const outcome = "document.querySelector('.outcome')?.textContent ?? ''"

layer(
  accountNode({ signup: { enabled: true, requires_approval: false, requires_email_verification: true } }).pipe(
    Layer.provideMerge(Browser.layer)
  ),
  { excludeTestServices: true, timeout: "90 seconds" }
)("pages that mails link to", (it) => {
  it.effect("verify an address when the button is pressed, and not before", () =>
    Effect.gen(function* () {
      const ada = { username: "ada", email: "ada@example.com" }
      const registered = yield* send("/api/v1/users/register", json({ ...ada, password }))
      assert.isBelow(registered.status, 300, registered.text)
      const link = yield* linkTo(ada.email, "Verify your e-mail address")
      const { page, problems } = yield* newPage(phone)
      const requests: Array<string> = []
      page.on("request", (request) => void requests.push(JSON.stringify([request.url(), request.headers()])))
      assert.strictEqual(yield* visit(page, link), 200)
      yield* waitFor(page, "!document.querySelector('form button').disabled")
      assert.strictEqual(yield* logsIn("ada"), "email_not_verified")
      assert.strictEqual(yield* sidewaysScroll(page), 0)
      yield* step("press enter on the button", () => page.locator("form button").press("Enter"))
      yield* waitFor(page, `(${outcome}).startsWith('The address is verified.')`)
      assert.strictEqual(yield* logsIn("ada"), "yes")
      assert.strictEqual(page.url(), link.split("?")[0])
      const token = new URL(link).searchParams.get("verificationString")!
      const told = requests.filter((request) => request.includes(token))
      assert.strictEqual(told.length, 1, "only the page's own address has the token")
      assert.deepStrictEqual(problems, [])
      // The same link a second time: it says that it is used up.
      yield* visit(page, link)
      yield* step("press the button", () => page.locator("form button").click())
      yield* waitFor(page, `(${outcome}).includes('used already')`)
      assert.isTrue(yield* step("ask", () => page.getByRole("link", { name: "Request another link" }).isVisible()))
    })
  )

  it.effect("set a new password, after telling what is wrong with it", () =>
    Effect.gen(function* () {
      const bea = yield* addUser("bea")
      const { page, problems } = yield* newPage(phone)
      yield* visit(page, `${yield* baseUrl}/reset-password`)
      yield* waitFor(page, "!document.querySelector('form button').disabled")
      yield* step("ask for a link", async () => {
        await page.getByLabel("E-mail address").fill(bea.email)
        await page.keyboard.press("Enter")
      })
      yield* waitFor(page, `(${outcome}).includes('a mail is on its way')`)
      const link = yield* linkTo(bea.email, "Set a new password")
      yield* visit(page, link)
      yield* waitFor(page, "!document.querySelector('form button').disabled")
      const fill = (first: string, second: string) =>
        step("fill the form", async () => {
          await page.getByLabel("New password").fill(first)
          await page.getByLabel("The same again").fill(second)
          await page.keyboard.press("Enter")
        })
      const wrong = (text: string) =>
        waitFor(page, `document.querySelector('.wrong')?.textContent.includes(${JSON.stringify(text)})`)
      yield* fill("short", "short")
      yield* waitFor(page, "document.querySelector('[aria-invalid=true]')?.name === 'password'")
      yield* fill("a new password", "another password")
      yield* wrong("not the same")
      // Not cut to what fits: nobody could log in with what was pasted.
      yield* fill("x".repeat(51), "x".repeat(51))
      yield* wrong("too long")
      yield* fill("ü".repeat(40), "ü".repeat(40))
      yield* wrong("too long")
      yield* fill("a new password", "a new password")
      yield* waitFor(page, `(${outcome}).includes('The new password is set')`)
      assert.strictEqual(page.url(), link.split("?")[0])
      yield* login(bea.username, "a new password")
      const old = yield* postForm(yield* tokenForm({ grant_type: "password", username: bea.username, password }))
      assert.strictEqual(old.status, 400)
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("ask for another link to verify an address", () =>
    Effect.gen(function* () {
      const cem = yield* addUser("cem")
      const { page } = yield* newPage()
      yield* visit(page, `${yield* baseUrl}/verify-account/ask-send-email`)
      yield* step("ask", async () => {
        await page.getByLabel("E-mail address").fill(cem.email)
        await page.getByRole("button", { name: "Send the link" }).click()
      })
      yield* waitFor(page, `(${outcome}).includes('a mail is on its way')`)
      yield* linkTo(cem.email, "Verify your e-mail address")
    })
  )

  it.effect("say that the server cannot be reached, and work when it is back", () =>
    Effect.gen(function* () {
      const dee = yield* addUser("dee")
      yield* EmailVerification.use((it) => it.sendForUser(dee.id))
      const { page } = yield* newPage()
      yield* visit(page, yield* linkTo(dee.email, "Verify your e-mail address"))
      yield* waitFor(page, "!document.querySelector('form button').disabled")
      yield* step("pull the plug", () => page.context().setOffline(true))
      yield* step("press the button", () => page.locator("form button").click())
      yield* waitFor(page, `(${outcome}).includes('cannot be reached')`)
      yield* step("put it back", () => page.context().setOffline(false))
      yield* step("press the button", () => page.locator("form button").click())
      yield* waitFor(page, `(${outcome}).startsWith('The address is verified.')`)
    })
  )

  it.effect("are strict: no cache, no referrer, not indexed, nothing from the query unescaped", () =>
    Effect.gen(function* () {
      const paths = [
        "/verify-account/email?userId=1&verificationString=abc",
        "/verify-account/email?registrationId=1&verificationString=abc",
        "/verify-account/ask-send-email",
        "/reset-password",
        "/reset-password?userId=1&verificationString=abc"
      ]
      for (const path of paths) {
        const { headers, status, text } = yield* send(path)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self'/)
        assert.strictEqual(headers.get("x-frame-options"), "DENY")
        assert.match(text, /<meta name="robots" content="noindex"/)
      }
      const broken = [
        "/verify-account/email",
        "/verify-account/email?userId=1",
        "/verify-account/email?userId=0&verificationString=abc",
        "/verify-account/email?userId=9999999999&verificationString=abc",
        "/verify-account/email?userId=1/../../x&verificationString=abc",
        "/verify-account/email?userId=1&userId=2&verificationString=abc",
        `/verify-account/email?userId=1&verificationString=${encodeURIComponent('"><script>alert(1)</script>')}`,
        `/reset-password?userId=1&verificationString=${"a".repeat(201)}`,
        "/reset-password?userId=x&verificationString=abc",
        "/reset-password?userId=1"
      ]
      for (const path of broken) {
        const { status, text } = yield* send(path)
        assert.strictEqual(status, 400, path)
        assert.notInclude(text, "alert(1)")
        assert.include(text, "not complete")
        assert.notInclude(text, "data-form")
      }
    })
  )

  it.effect("do not tell by an ask whether an address is known", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(["nobody@example.com", "ada@example.com"], (email) =>
        send("/api/v1/users/ask-reset-password", json({ email }))
      )
      assert.deepStrictEqual(
        answers.map(({ status, text }) => [status, text]),
        [
          [204, ""],
          [204, ""]
        ]
      )
    })
  )
})
