import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"
import { PasswordLinks } from "../../../src/people/verification/PasswordLinks.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { MailServer } from "../../support/MailServer.ts"
import { addUser, expireTokens, linkTo, mailedNode, password, post, tryLogin } from "./MailedNode.ts"

const ask = "/api/v1/users/ask-reset-password"
const reset = (id: string | number) => `/api/v1/users/${id}/reset-password`

const askFor = Effect.fnUntraced(function* (username: string) {
  const email = `${username}@example.com`
  const answer = yield* post(ask, { email })
  assert.strictEqual(answer.status, 204)
  return yield* linkTo(email)
})

layer(mailedNode(), { excludeTestServices: true })("setting a password by mail", (it) => {
  it.effect("works once, ends every session and tells the owner", () =>
    Effect.gen(function* () {
      const ada = yield* addUser("ada", { emailVerified: false })
      const bob = yield* addUser("bob")
      const sessions = [yield* login("ada", password), yield* login("ada", password)]
      const others = yield* login("bob", password)
      const link = yield* askFor("ada")
      assert.deepInclude(link, { path: "/reset-password", userId: String(ada) })
      const { verificationString } = link
      assert.match(verificationString!, /^[A-Za-z0-9]{43}$/)

      assert.strictEqual((yield* post(reset(bob), { verificationString, password: "password2" })).status, 403)
      assert.strictEqual((yield* post(reset(2_147_483_647), { verificationString, password: "password2" })).status, 404)
      assert.strictEqual((yield* post(`/api/v1/users/${ada}/verify-email`, { verificationString })).status, 403)
      for (const bad of ["short", "ä".repeat(37), 7, null, ["password2"]]) {
        const refused = yield* post(reset(ada), { verificationString, password: bad })
        assert.strictEqual(refused.status, 400)
        assert.sameMembers(Object.keys(refused.json["invalid-params"]), ["password"])
        assert.notInclude(refused.text, verificationString)
      }
      assert.strictEqual((yield* send("/api/v1/users/me", bearer(sessions[0]!.access_token))).status, 200)

      const done = yield* post(reset(ada), { verificationString, password: "password2" })
      assert.strictEqual(done.status, 204)
      for (const { access_token } of sessions) {
        assert.strictEqual((yield* send("/api/v1/users/me", bearer(access_token))).status, 401)
      }
      assert.strictEqual((yield* send("/api/v1/users/me", bearer(others.access_token))).status, 200)
      assert.strictEqual(yield* tryLogin("ada", password), "invalid_grant")
      const { access_token } = yield* login("ada", "password2")
      // The link proved the address as well.
      assert.isTrue((yield* send("/api/v1/users/me", bearer(access_token))).json.emailVerified)
      assert.strictEqual((yield* post(reset(ada), { verificationString, password: "password3" })).status, 403)
      const server = yield* MailServer
      const told = yield* server.waitFor((mail) => mail.to.includes("ada@example.com") && /changed/.test(mail.subject))
      assert.notInclude(told.text, "password2")
    })
  )

  it.effect("lets one of two win that use a link at once", () =>
    Effect.gen(function* () {
      const id = yield* addUser("racer")
      const { verificationString } = yield* askFor("racer")
      const chosen = ["password-a", "password-b", "password-c"]
      const answers = yield* Effect.all(
        chosen.map((one) => post(reset(id), { verificationString, password: one })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [204, 403, 403])
      const winner = chosen[answers.findIndex(({ status }) => status === 204)]
      for (const one of chosen) {
        assert.strictEqual(yield* tryLogin("racer", one), one === winner ? 200 : "invalid_grant")
      }
    })
  )

  it.effect("takes any link within its hour, whoever asked for others since, until one is used", () =>
    Effect.gen(function* () {
      const id = yield* addUser("spoiled")
      const first = yield* askFor("spoiled")
      const second = yield* askFor("spoiled")
      const third = yield* askFor("spoiled")
      const use = ({ verificationString }: Record<string, string>) =>
        Effect.map(post(reset(id), { verificationString, password: "password2" }), ({ status }) => status)
      assert.strictEqual(yield* use(first), 204)
      for (const other of [first, second, third]) assert.strictEqual(yield* use(other), 403)
    })
  )

  it.effect("takes a link within its hour, while the address is the user's", () =>
    Effect.gen(function* () {
      const id = yield* addUser("late")
      const second = yield* askFor("late")
      const use = (verificationString: string | undefined) =>
        Effect.map(post(reset(id), { verificationString, password: "password2" }), ({ status }) => status)
      const sql = yield* SqlClient
      yield* sql`update app_user set email = 'elsewhere@example.com' where id = ${id}`
      assert.strictEqual(yield* use(second.verificationString), 403)
      yield* sql`update app_user set email = 'late@example.com' where id = ${id}`
      const third = yield* askFor("late")
      yield* expireTokens
      assert.strictEqual(yield* use(third.verificationString), 403)
      assert.strictEqual(yield* tryLogin("late", password), 200)
    })
  )

  it.effect("sets the first password of a user somebody else made, within a week", () =>
    Effect.gen(function* () {
      const id = yield* addUser("made")
      const links = yield* PasswordLinks
      yield* links.sendCreate(id, "made", "made@example.com")
      const sql = yield* SqlClient
      const rows = yield* sql`
        select 1 from one_time_token where user_id = ${id} and purpose = 'create-password'
          and expires_at between now() + interval '167 hours' and now() + interval '168 hours'`
      assert.lengthOf(rows, 1)
      const { verificationString } = yield* linkTo("made@example.com")
      // A link for a new password does not end the one for the first, until one of them is used.
      const other = yield* askFor("made")
      assert.strictEqual((yield* post(reset(id), { verificationString, password: "the first" })).status, 204)
      assert.strictEqual(yield* tryLogin("made", "the first"), 200)
      const used = { verificationString: other.verificationString, password: "password9" }
      assert.strictEqual((yield* post(reset(id), used)).status, 403)
    })
  )

  it.effect("is not offered for unknown addresses, nor for users of a plugin, and nobody is told", () =>
    Effect.gen(function* () {
      const id = yield* addUser("plugged")
      const sql = yield* SqlClient
      yield* sql`update app_user set plugin_auth = 'ldap' where id = ${id}`
      for (const email of ["nobody@example.com", "plugged@example.com", "%@example.com", "_da@example.com"]) {
        const { status, text } = yield* post(ask, { email })
        assert.deepStrictEqual([status, text], [204, ""], email)
      }
      yield* addUser("afterwards")
      yield* askFor("afterwards")
      const server = yield* MailServer
      assert.notInclude(server.asked, "nobody@example.com")
      assert.notInclude(server.asked, "plugged@example.com")
    })
  )

  it.effect("is not done more than three times for an address, whoever asks", () =>
    Effect.gen(function* () {
      yield* addUser("inflicted")
      yield* addUser("next")
      // Spellings the database takes for one address; those it only would are refused (UserFields).
      const spellings = ["Inflicted", "inflicted", "INFLICTED", "inFlicted", "inflicteD"]
      const answers = yield* Effect.forEach(spellings, (name) => post(ask, { email: `${name}@example.com` }))
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
      yield* askFor("next")
      // Asks are done in turn: every mail of the first address is on the board by now.
      const server = yield* MailServer
      const sql = yield* SqlClient
      const tokens = yield* sql<{ made: number }>`
        select count(*)::int as made from job where type = 'email' and created_at >= (
          select created_at from app_user where username = 'inflicted')`
      assert.strictEqual(tokens[0]!.made, 4)
      const arrived = () => server.received.filter((mail) => mail.to.includes("inflicted@example.com"))
      yield* server.waitFor(() => arrived().length === 3, "the third mail")
    })
  )

  it.effect("leaves no token in the database that could be used", () =>
    Effect.gen(function* () {
      yield* addUser("reader")
      const { verificationString } = yield* askFor("reader")
      const sql = yield* SqlClient
      const rows = yield* sql<{ everything: string }>`
        select row_to_json(t)::text as everything from one_time_token t
        union all select row_to_json(j)::text from job j`
      assert.isAbove(rows.length, 0)
      for (const { everything } of rows) assert.notInclude(everything, verificationString!)
    })
  )
})

layer(testNode(), { excludeTestServices: true })("an instance that sends no mail", (it) => {
  it.effect("says so to whoever asks for some, and queues none", () =>
    Effect.gen(function* () {
      const names = ["ask-reset-password", "ask-send-verify-email", "registrations/ask-send-verify-email"]
      for (const name of names) {
        const refused = yield* post(`/api/v1/users/${name}`, { email: "admin@example.com" })
        assert.strictEqual(refused.status, 409, name)
        assert.include(refused.json.detail, "does not send mail")
      }
      const links = yield* PasswordLinks
      yield* links.sendReset(1, "root", "admin@example.com")
      const sql = yield* SqlClient
      assert.lengthOf(yield* sql`select 1 from job where type = 'email'`, 0)
      assert.lengthOf(yield* sql`select 1 from one_time_token`, 0)
    })
  )

  it.effect("has tasks that look after tokens and the key that seals them", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const states = new Map((yield* supervisor.states).map(({ name, status }) => [name, status]))
      for (const name of ["expired one-time tokens", "secret key"]) {
        assert.strictEqual(states.get(name), "running", name)
      }
    })
  )
})
