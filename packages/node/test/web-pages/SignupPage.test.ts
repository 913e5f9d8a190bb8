import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { bearer, login, postForm, send, tokenForm } from "../instance/about/Client.ts"
import { baseUrl, rootPassword } from "../instance/about/TestNode.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../support/Browser.ts"
import { MailServer } from "../support/MailServer.ts"
import { accountNode } from "./support/AccountNode.ts"

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const real = { excludeTestServices: true, timeout: "90 seconds" } as const
const outcome = "document.querySelector('.outcome')?.textContent ?? ''"
const wrongNear = (name: string) => `document.querySelector('[name=${name}]').closest('.field').querySelector('.wrong')`

layer(
  accountNode({ signup: { enabled: true }, instance: { terms: "Be kind." } }).pipe(Layer.provideMerge(Browser.layer)),
  real
)("registering with approval", (it) => {
  it.effect("asks for a reason, says what is wrong, and ends with a moderator's yes", () =>
    Effect.gen(function* () {
      const { page, problems } = yield* newPage(phone)
      yield* visit(page, `${yield* baseUrl}/signup`)
      yield* waitFor(page, "!document.querySelector('form button').disabled")
      assert.strictEqual(yield* sidewaysScroll(page), 0)
      yield* step("fill in most of it", async () => {
        await page.getByLabel("User name").fill("Ada L")
        await page.getByLabel("E-mail address").fill("ada@example.com")
        await page.getByLabel("Password").fill("password1")
        await page.getByLabel("The same again").fill("password1")
        await page.getByLabel("I agree to the terms of this instance").check()
        await page.locator("form.form").getByRole("button").click()
      })
      for (const name of ["username", "registrationReason", "age"]) yield* waitFor(page, `${wrongNear(name)} !== null`)
      assert.strictEqual(yield* step("count", () => page.locator(".wrong").count()), 3)
      yield* step("mend it", async () => {
        // The application's own name: only the server knows that it is taken.
        await page.getByLabel("User name").fill("root")
        await page.getByLabel("Why do you want to join?").fill("To show my films")
        await page.getByLabel("I am at least 16 years old").check()
        await page.locator("form.form").getByRole("button").click()
      })
      yield* waitFor(page, `document.querySelector('.outcome.failed') !== null`)
      yield* step("take another name", async () => {
        await page.getByLabel("User name").fill("ada")
        await page.locator("form.form").getByRole("button").click()
      })
      yield* waitFor(page, `(${outcome}).startsWith('Thank you. A moderator')`)
      const { access_token } = yield* login("root", rootPassword)
      const asked = (yield* send("/api/v1/users/registrations", bearer(access_token))).json.data[0]
      assert.strictEqual(asked.registrationReason, "To show my films")
      const accepted = yield* send(`/api/v1/users/registrations/${asked.id}/accept`, {
        method: "POST",
        headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
        body: JSON.stringify({ moderationResponse: "Welcome!" })
      })
      assert.strictEqual(accepted.status, 204, accepted.text)
      const server = yield* MailServer
      const mail = yield* server.waitFor((it) => it.subject.includes("Your registration was accepted"))
      assert.deepStrictEqual(mail.to, ["ada@example.com"])
      assert.include(mail.text, "> Welcome!")
      yield* login("ada", "password1")
      // What the browser itself says of the refused name.
      assert.isTrue(
        problems.every((problem) => problem.includes("409")),
        problems.join("\n")
      )
    })
  )
})

layer(
  accountNode({ instance: { terms: "" }, signup: { enabled: true, requires_approval: false, minimum_age: 0 } }).pipe(
    Layer.provideMerge(Browser.layer)
  ),
  real
)("registering at once", (it) => {
  it.effect("makes an account that can log in", () =>
    Effect.gen(function* () {
      const { page, problems } = yield* newPage()
      yield* visit(page, `${yield* baseUrl}/signup`)
      yield* waitFor(page, "!document.querySelector('form button').disabled")
      yield* step("fill it in by the keyboard", async () => {
        await page.getByLabel("User name").fill("bea")
        await page.getByLabel("E-mail address").fill("bea@example.com")
        await page.getByLabel("Password").fill("password1")
        await page.getByLabel("The same again").fill("password1")
        await page.keyboard.press("Enter")
      })
      yield* waitFor(page, `(${outcome}).startsWith('Welcome!')`)
      const answer = yield* postForm(
        yield* tokenForm({ grant_type: "password", username: "bea", password: "password1" })
      )
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(problems, [])
    })
  )
})

layer(accountNode({ signup: { enabled: true, filters: { cidr: { blacklist: ["127.0.0.0/8"] } } } }), real)(
  "an instance that does not want this network",
  (it) => {
    it.effect("says so and has no form", () =>
      Effect.gen(function* () {
        const { status, text } = yield* send("/signup")
        assert.strictEqual(status, 200)
        assert.include(text, "from your network address")
        assert.notInclude(text, "data-form")
      })
    )
  }
)

layer(accountNode(), real)("a closed instance", (it) => {
  it.effect("says so and has no form", () =>
    Effect.gen(function* () {
      const { text } = yield* send("/signup")
      assert.include(text, "Registration is closed")
      assert.notInclude(text, "data-form")
      const login = (yield* send("/login")).text
      assert.include(login, "Forgot your password?")
      assert.notInclude(login, 'href="/signup"')
      assert.notInclude(login, "verify-account")
    })
  )
})
