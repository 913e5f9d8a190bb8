import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { EmailVerification } from "../../../src/people/verification/EmailVerification.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { MailServer } from "../../support/MailServer.ts"
import { addUser, expireTokens, linkTo, mailedNode, password, post, tryLogin } from "./MailedNode.ts"

const ask = "/api/v1/users/ask-send-verify-email"
const verify = (id: string | number) => `/api/v1/users/${id}/verify-email`

const startChange = (userId: number, username: string, email: string) =>
  Effect.flatMap(EmailVerification, (verification) => verification.startChange(userId, username, email))

const me = (token: string) => Effect.map(send("/api/v1/users/me", bearer(token)), ({ json }) => json)

const node = mailedNode({ signup: { requires_email_verification: true } })

layer(node, { excludeTestServices: true })("verifying an address", (it) => {
  it.effect("lets a new user in, with a link that works once and for nobody else", () =>
    Effect.gen(function* () {
      const ada = yield* addUser("ada", { emailVerified: false })
      const bob = yield* addUser("bob", { emailVerified: false })
      assert.strictEqual(yield* tryLogin("ada", password), "email_not_verified")
      assert.strictEqual((yield* post(ask, { email: "ADA@example.com" })).status, 204)
      const link = yield* linkTo("ada@example.com")
      assert.deepInclude(link, { path: "/verify-account/email", userId: String(ada) })
      const { verificationString } = link
      assert.match(verificationString!, /^[A-Za-z0-9]{43}$/)

      assert.strictEqual((yield* post(verify(bob), { verificationString })).status, 403)
      assert.strictEqual((yield* post(verify(ada), { verificationString: `${verificationString}x` })).status, 403)
      assert.strictEqual((yield* post(verify(2_147_483_647), { verificationString })).status, 404)
      assert.strictEqual(yield* tryLogin("ada", password), "email_not_verified")

      // What the request says about the address is not believed: the token knows what it is for.
      const answer = yield* post(verify(ada), { verificationString, isPendingEmail: true })
      assert.strictEqual(answer.status, 204)
      assert.strictEqual(answer.text, "")
      assert.strictEqual(yield* tryLogin("ada", password), 200)
      assert.strictEqual(yield* tryLogin("bob", password), "email_not_verified")
      assert.strictEqual((yield* post(verify(ada), { verificationString })).status, 403)
    })
  )

  it.effect("takes a link until it expires, or another one was used", () =>
    Effect.gen(function* () {
      const eve = yield* addUser("eve", { emailVerified: false })
      const asked = Effect.andThen(
        send(ask, { method: "POST", body: new URLSearchParams({ email: "eve@example.com" }) }),
        linkTo("eve@example.com")
      )
      const use = ({ verificationString }: Record<string, string>) =>
        Effect.map(post(verify(eve), { verificationString }), ({ status }) => status)
      const late = yield* asked
      const sql = yield* SqlClient
      const rows = yield* sql`
        select 1 from one_time_token where expires_at between now() + interval '59 minutes' and now() + interval '1 hour'`
      assert.lengthOf(rows, 1)
      yield* expireTokens
      assert.strictEqual(yield* use(late), 403)
      assert.strictEqual(yield* tryLogin("eve", password), "email_not_verified")
      // Whoever asks once more does not spoil the link that went out before.
      const first = yield* asked
      const second = yield* asked
      assert.strictEqual(yield* use(first), 204)
      assert.strictEqual(yield* use(second), 403)
      assert.strictEqual(yield* tryLogin("eve", password), 200)
    })
  )

  it.effect("changes an address when the new one is proven, and ends links to the old one", () =>
    Effect.gen(function* () {
      const userId = yield* addUser("mover")
      const { access_token } = yield* login("mover", password)
      yield* post("/api/v1/users/ask-reset-password", { email: "mover@example.com" })
      const reset = yield* linkTo("mover@example.com")
      yield* startChange(userId, "mover", "new@example.com")
      const before = yield* me(access_token)
      assert.deepInclude(before, { email: "mover@example.com", pendingEmail: "new@example.com" })

      const first = yield* linkTo("new@example.com")
      // Asked for again by the address somebody waits for.
      yield* post(ask, { email: "new@example.com" })
      const link = yield* linkTo("new@example.com")
      assert.deepInclude(link, { userId: String(userId), isPendingEmail: "true" })
      const { verificationString } = link
      const answer = yield* post(verify(userId), { verificationString, isPendingEmail: false })
      assert.strictEqual(answer.status, 204)
      const after = yield* me(access_token)
      assert.deepInclude(after, { email: "new@example.com", pendingEmail: null, emailVerified: true })
      assert.strictEqual((yield* post(verify(userId), { verificationString })).status, 403)
      assert.strictEqual((yield* post(verify(userId), first)).status, 403)
      const server = yield* MailServer
      const told = yield* server.waitFor(
        (mail) => mail.to.includes("mover@example.com") && /address was changed/.test(mail.subject),
        "the mail to the old address"
      )
      assert.notInclude(told.raw, "new@example.com")
      const late = yield* post(`/api/v1/users/${userId}/reset-password`, { ...reset, password: "password2" })
      assert.strictEqual(late.status, 403)
      assert.strictEqual(yield* tryLogin("new@example.com", password), 200)
    })
  )

  it.effect("sends no link to an address that only looks like the one somebody waits for", () =>
    Effect.gen(function* () {
      const userId = yield* addUser("thief")
      yield* startChange(userId, "thief", "victim@mail.example")
      yield* linkTo("victim@mail.example")
      // The database would take it for the same; as a domain it is somebody else's.
      const refused = yield* post(ask, { email: "victim@ma\u0130l.example" })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(Object.keys(refused.json["invalid-params"]), ["email"])
      assert.strictEqual((yield* post(ask, { email: "Victim@Mail.example" })).status, 204)
      const link = yield* linkTo("victim@mail.example")
      assert.deepInclude(link, { userId: String(userId), isPendingEmail: "true" })
      const server = yield* MailServer
      assert.deepStrictEqual(
        new Set(server.asked.filter((address) => address.startsWith("victim@"))),
        new Set(["victim@mail.example"])
      )
    })
  )

  it.effect("takes the proof of an address for no other that the database cannot tell from it", () =>
    Effect.gen(function* () {
      const userId = yield* addUser("forger")
      const own = "somebody@ma\u0130ls.example"
      yield* startChange(userId, "forger", own)
      // As mail servers read it: another domain.
      const proof = yield* linkTo(own.toLowerCase())
      yield* startChange(userId, "forger", "somebody@mails.example")
      yield* linkTo("somebody@mails.example")
      assert.strictEqual((yield* post(verify(userId), proof)).status, 403)
      const { access_token } = yield* login("forger", password)
      assert.deepInclude(yield* me(access_token), { email: "forger@example.com", emailVerified: null })
    })
  )

  it.effect("changes nothing when the address belongs to somebody else by then", () =>
    Effect.gen(function* () {
      const userId = yield* addUser("slow")
      const { access_token } = yield* login("slow", password)
      yield* startChange(userId, "slow", "wanted@example.com")
      const { verificationString } = yield* linkTo("wanted@example.com")
      yield* addUser("wanted")
      for (let i = 0; i < 2; i++) {
        const refused = yield* post(verify(userId), { verificationString, isPendingEmail: true })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.json.detail, "belongs to another user")
      }
      const user = yield* me(access_token)
      assert.deepInclude(user, { email: "slow@example.com", pendingEmail: "wanted@example.com" })
      const taken = yield* Effect.flip(startChange(userId, "slow", "Wanted@Example.com"))
      assert.strictEqual(taken._tag, "Conflict")
    })
  )

  it.effect("refuses a change that was taken back, or is about another address by now", () =>
    Effect.gen(function* () {
      const userId = yield* addUser("doubting")
      yield* startChange(userId, "doubting", "one@example.com")
      const one = yield* linkTo("one@example.com")
      yield* startChange(userId, "doubting", "two@example.com")
      const two = yield* linkTo("two@example.com")
      assert.strictEqual((yield* post(verify(userId), one)).status, 403)
      yield* startChange(userId, "doubting", "Doubting@example.com")
      assert.strictEqual((yield* post(verify(userId), two)).status, 403)
      const { access_token } = yield* login("doubting", password)
      assert.deepInclude(yield* me(access_token), { email: "doubting@example.com", pendingEmail: null })
    })
  )

  it.effect("verifies the address of a registration, and of the user it has become", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const insert = (username: string) => sql<{ id: number }>`
        insert into user_registration (username, email, email_verified, password_hash, registration_reason)
        values (${username}, ${`${username}@example.com`}, false, 'x', 'because') returning id`
      const [registration] = yield* insert("applicant")
      const [other] = yield* insert("other_applicant")
      const path = (id: number) => `/api/v1/users/registrations/${id}/verify-email`
      const again = "/api/v1/users/registrations/ask-send-verify-email"
      assert.strictEqual((yield* post(again, { email: "applicant@example.com" })).status, 204)
      const link = yield* linkTo("applicant@example.com")
      assert.deepInclude(link, { path: "/verify-account/email", registrationId: String(registration!.id) })
      assert.strictEqual((yield* post(path(other!.id), link)).status, 403)
      assert.strictEqual((yield* post(path(2_147_483_647), link)).status, 404)
      assert.strictEqual((yield* post(verify(1), link)).status, 403)

      // Accepted meanwhile.
      const userId = yield* addUser("applicant", { emailVerified: false })
      yield* sql`
        update user_registration set state = 3, user_id = ${userId}, password_hash = null where id = ${registration!.id}`
      assert.strictEqual((yield* post(path(registration!.id), link)).status, 204)
      assert.strictEqual((yield* post(path(registration!.id), link)).status, 403)
      assert.strictEqual(yield* tryLogin("applicant", password), 200)
      const rows = yield* sql<{ verified: boolean }>`
        select email_verified as verified from user_registration where id in ${sql.in([registration!.id, other!.id])}
        order by id`
      assert.deepStrictEqual(
        rows.map(({ verified }) => verified),
        [true, false]
      )
    })
  )

  it.effect("tells nobody whether an address is known", () =>
    Effect.gen(function* () {
      yield* addUser("known", { emailVerified: false })
      yield* addUser("proven", { emailVerified: true })
      const answers = []
      for (const email of ["unknown@example.com", "proven@example.com", "known@example.com"]) {
        const { headers, status, text } = yield* post(ask, { email })
        const told = [...headers].filter(([name]) => name !== "date" && name !== "x-request-id")
        answers.push(JSON.stringify([status, text, told]))
      }
      assert.strictEqual(new Set(answers).size, 1)
      // Asks are done in turn: when the last mail is there the others were decided.
      yield* linkTo("known@example.com")
      const server = yield* MailServer
      assert.notInclude(server.asked, "unknown@example.com")
      assert.notInclude(server.asked, "proven@example.com")
    })
  )

  it.effect("names what is wrong with a request", () =>
    Effect.gen(function* () {
      const header = "victim@example.com\r\nBcc: many@example.com"
      for (const email of [
        header,
        "a@b\nc",
        "a b@example.com",
        "@example.com",
        "a".repeat(300),
        7,
        null,
        ["a@b.c"],
        {}
      ]) {
        for (const path of [
          ask,
          "/api/v1/users/registrations/ask-send-verify-email",
          "/api/v1/users/ask-reset-password"
        ]) {
          const refused = yield* post(path, { email })
          assert.strictEqual(refused.status, 400, `${path} ${JSON.stringify(email)}`)
          assert.property(refused.json["invalid-params"], "email")
        }
      }
      for (const id of ["0", "-1", "1.5", "x", "2147483648", "%00"]) {
        const refused = yield* post(verify(id), { verificationString: "x" })
        assert.strictEqual(refused.status, 400, id)
        assert.property(refused.json["invalid-params"], "id", id)
      }
      const all = yield* post(verify(1), { verificationString: ["x"], isPendingEmail: "perhaps" })
      assert.sameMembers(Object.keys(all.json["invalid-params"]), ["verificationString", "isPendingEmail"])
      assert.strictEqual((yield* post(verify(1), {})).status, 400)
      const long = yield* post(verify(1), { verificationString: "x".repeat(201) })
      assert.strictEqual(long.status, 400)
      assert.notInclude(long.text, "xxx")
      assert.strictEqual((yield* post(verify(1), [])).status, 400)
    })
  )
})

layer(mailedNode(), { excludeTestServices: true })("an instance that does not verify addresses", (it) => {
  it.effect("changes them at once", () =>
    Effect.gen(function* () {
      const userId = yield* addUser("quick", { emailVerified: true })
      const { access_token } = yield* login("quick", password)
      yield* startChange(userId, "quick", "quicker@example.com")
      const user = yield* me(access_token)
      assert.deepInclude(user, { email: "quicker@example.com", pendingEmail: null, emailVerified: null })
      yield* addUser("other")
      const server = yield* MailServer
      yield* server.waitFor((mail) => mail.to.includes("quick@example.com"), "the mail to the old address")
      const typo = yield* addUser("typo", { emailVerified: false })
      yield* startChange(typo, "typo", "right@example.com")
      yield* startChange(typo, "typo", "wrong@example.com")
      yield* server.waitFor((mail) => mail.to.includes("right@example.com"), "the mail to the second address")
      // Nobody ever proved it: it may be a stranger's.
      assert.notInclude(server.asked, "typo@example.com")
      const taken = yield* Effect.flip(startChange(userId, "quick", "OTHER@example.com"))
      assert.strictEqual(taken._tag, "Conflict")
      assert.deepInclude(yield* me(access_token), { email: "quicker@example.com" })
    })
  )
})
