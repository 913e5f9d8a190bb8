import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { addUser, expireTokens, post } from "../verification/MailedNode.ts"
import { Authenticator, early, loginWith, password, path, request, switchOn, wrongCode } from "./Authenticator.ts"

const status = (token: string) => Effect.map(send("/api/v1/users/me", bearer(token)), (answer) => answer.status)

const isOn = (token: string) =>
  Effect.map(send("/api/v1/users/me", bearer(token)), ({ json }) => json.twoFactorEnabled as boolean)

/** A user who is logged in. */
const person = Effect.fnUntraced(function* (username: string) {
  const id = yield* addUser(username)
  return { id, token: (yield* login(username, password)).access_token }
})

const recoveryPath = "/api/v1/users/me/two-factor/recovery-codes"

const root = Effect.map(login("root", rootPassword), ({ access_token }) => access_token)

layer(testNode(), { excludeTestServices: true, timeout: "90 seconds" })("two factors", (it) => {
  it.effect("are asked for at every login once they are on, and no more when they are off", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("ada")
      const answer = yield* post(path(id, "request"), { currentPassword: password }, token)
      assert.strictEqual(answer.status, 200)
      assert.isArray(answer.json)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      const { requestToken, secret, uri } = answer.json[0].otpRequest
      assert.match(requestToken, /^[\w-]{43}$/)
      assert.match(secret, /^[A-Z2-7]{32}$/)
      assert.strictEqual(
        uri,
        `otpauth://totp/Kinora:ada?secret=${secret}&issuer=Kinora&algorithm=SHA1&digits=6&period=30`
      )
      assert.isFalse(yield* isOn(token))
      assert.strictEqual((yield* loginWith("ada", undefined)).status, 200)

      const authenticator = new Authenticator(uri)
      const other = (yield* login("ada", password)).access_token
      yield* early()
      const first = yield* authenticator.code(-1)
      const confirmed = yield* post(path(id, "confirm-request"), { requestToken, otpToken: first }, token)
      assert.strictEqual(confirmed.status, 204)
      assert.isTrue(yield* isOn(token))
      // Sessions that began without the second factor end; the one that switched it on stays.
      assert.strictEqual(yield* status(other), 401)

      const missing = yield* loginWith("ada", undefined)
      assert.strictEqual(missing.status, 401)
      assert.strictEqual(missing.json.code, "missing_two_factor")
      assert.strictEqual(missing.headers.get("x-peertube-otp"), "required; app")
      // The code the factor was switched on with is used.
      const replayed = yield* loginWith("ada", first)
      assert.deepStrictEqual([replayed.status, replayed.json.code], [400, "invalid_two_factor"])
      const code = yield* authenticator.code()
      // Nothing is told of a code, nor used up of it, without the right password.
      assert.strictEqual((yield* loginWith("ada", code, { password: "wrong password" })).json.code, "invalid_grant")
      assert.strictEqual((yield* loginWith("ada", code)).status, 200)
      assert.strictEqual((yield* loginWith("ada", code)).json.code, "invalid_two_factor")
      const next = yield* authenticator.code(1)
      assert.strictEqual((yield* loginWith("ada", next, { header: "x-service-otp" })).status, 200)

      const wrong = yield* post(path(id, "disable"), { currentPassword: "not mine" }, token)
      assert.deepStrictEqual([wrong.status, wrong.json.code], [403, "current_password_is_invalid"])
      assert.strictEqual((yield* post(path(id, "disable"), { currentPassword: password }, token)).status, 204)
      assert.isFalse(yield* isOn(token))
      assert.strictEqual((yield* loginWith("ada", undefined)).status, 200)
      assert.strictEqual((yield* post(path(id, "disable"), { currentPassword: password }, token)).status, 400)
    })
  )

  it.effect("take each code once, also from logins that race", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("racer")
      const authenticator = yield* switchOn(id, token)
      const code = yield* authenticator.code()
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => loginWith("racer", code)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map((answer) => answer.status).sort(), [200, 400, 400, 400])
    })
  )

  it.effect("take codes of a clock that is a step off, and of no other", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("timely")
      const { requestToken, uri } = yield* request(id, token)
      const authenticator = new Authenticator(uri)
      yield* early()
      const confirm = (otpToken: string) =>
        Effect.map(post(path(id, "confirm-request"), { requestToken, otpToken }, token), (answer) => answer.status)
      assert.strictEqual(yield* confirm(yield* authenticator.code(-10)), 403)
      assert.strictEqual(yield* confirm(yield* authenticator.code(-2)), 403)
      assert.strictEqual(yield* confirm(yield* authenticator.code(-1)), 204)
      assert.strictEqual((yield* loginWith("timely", yield* authenticator.code(2))).json.code, "invalid_two_factor")
      assert.strictEqual((yield* loginWith("timely", yield* authenticator.code(1))).status, 200)
      // Older than what was accepted, though within the window.
      assert.strictEqual((yield* loginWith("timely", yield* authenticator.code(0))).json.code, "invalid_two_factor")
    })
  )

  it.effect("stop looking at codes after five wrong ones of a user", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("guessed")
      const authenticator = yield* switchOn(id, token)
      const wrong = yield* wrongCode(authenticator)
      const tries = yield* Effect.all(
        Array.from({ length: 8 }, () => loginWith("guessed", wrong)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(tries.map((answer) => answer.status).sort(), [400, 400, 400, 400, 400, 429, 429, 429])
      const right = yield* loginWith("guessed", yield* authenticator.code())
      assert.strictEqual(right.status, 429)
      assert.isAbove(Number(right.headers.get("retry-after")), 60)
      // Others are not concerned, nor is what is told of a wrong password.
      assert.strictEqual((yield* loginWith("guessed", wrong, { password: "wrong" })).json.code, "invalid_grant")
      assert.strictEqual((yield* loginWith("root", undefined, { password: rootPassword })).status, 200)
    })
  )

  it.effect("need a request of the same user, unused and not older than ten minutes", () =>
    Effect.gen(function* () {
      const mine = yield* person("mine")
      const other = yield* person("other")
      const first = yield* request(mine.id, mine.token)
      const second = yield* request(mine.id, mine.token)
      const theirs = yield* request(other.id, other.token)
      const confirm = Effect.fnUntraced(function* (of: typeof first, who: typeof mine, as = who) {
        yield* early()
        const otpToken = yield* new Authenticator(of.uri).code()
        return yield* post(path(as.id, "confirm-request"), { requestToken: of.requestToken, otpToken }, who.token)
      })
      const sql = yield* SqlClient
      const rows = yield* sql<{ everything: string; seconds: number }>`
        select row_to_json(t)::text as everything, extract(epoch from expires_at - now())::float8 as seconds
        from one_time_token t where purpose = 'two-factor' and user_id = ${mine.id}`
      assert.lengthOf(rows, 1)
      assert.approximately(rows[0]!.seconds, 600, 30)
      for (const part of [second.secret, second.requestToken]) assert.notInclude(rows[0]!.everything, part)

      assert.strictEqual((yield* confirm(first, mine)).status, 403)
      assert.strictEqual((yield* confirm(theirs, mine)).status, 403)
      assert.strictEqual((yield* confirm(second, other, mine)).status, 403)
      const wrong = yield* wrongCode(new Authenticator(second.uri))
      const mistyped = { requestToken: second.requestToken, otpToken: wrong }
      assert.strictEqual((yield* post(path(mine.id, "confirm-request"), mistyped, mine.token)).status, 403)
      const racing = yield* Effect.all([confirm(second, mine), confirm(second, mine)], { concurrency: "unbounded" })
      assert.deepStrictEqual(racing.map((answer) => answer.status).sort(), [204, 403])
      assert.strictEqual((yield* confirm(second, mine)).status, 403)
      const again = yield* post(path(mine.id, "request"), { currentPassword: password }, mine.token)
      assert.strictEqual(again.status, 400)
      yield* expireTokens
      assert.strictEqual((yield* confirm(theirs, other)).status, 403)
      assert.isFalse(yield* isOn(other.token))
      const sealed = yield* sql<{ otp: string }>`select otp_secret as otp from app_user where id = ${mine.id}`
      assert.notInclude(sealed[0]!.otp, second.secret)
    })
  )

  it.effect("are the user's own business, but administrators can switch them off", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const other = yield* person("nosy")
      const administrator = yield* root
      for (const what of ["request", "disable", "confirm-request"] as const) {
        const body = { currentPassword: password, requestToken: "x", otpToken: "123456" }
        assert.strictEqual((yield* post(path(owner.id, what), body)).status, 401)
        assert.strictEqual((yield* post(path(owner.id, what), body, other.token)).status, 403, what)
        assert.strictEqual((yield* post(path(2_147_483_647, what), body, other.token)).status, 404)
        for (const id of ["0", "me", "1e3"]) {
          const refused = yield* post(path(id as never, what), body, other.token)
          assert.strictEqual(refused.status, 400)
          assert.property(refused.json["invalid-params"], "id")
        }
      }
      for (const what of ["request", "disable"] as const) {
        for (const body of [{}, { currentPassword: "" }]) {
          const missing = yield* post(path(owner.id, what), body, owner.token)
          assert.deepStrictEqual(
            [missing.status, Object.keys(missing.json["invalid-params"])],
            [400, ["currentPassword"]]
          )
        }
        const refused = yield* post(path(owner.id, what), { currentPassword: "wrong" }, owner.token)
        assert.deepStrictEqual([refused.status, refused.json.code], [403, "current_password_is_invalid"])
      }
      const bare = yield* send(path(owner.id, "request"), { method: "POST", ...bearer(owner.token) })
      assert.strictEqual(bare.status, 400)
      const bad = yield* post(path(owner.id, "confirm-request"), { requestToken: 1, otpToken: {} }, owner.token)
      assert.sameMembers(Object.keys(bad.json["invalid-params"]), ["requestToken", "otpToken"])
      yield* switchOn(owner.id, owner.token)
      assert.strictEqual((yield* post(path(owner.id, "request"), {}, administrator)).status, 400)
      assert.strictEqual((yield* post(path(other.id, "request"), {}, administrator)).status, 200)
      assert.strictEqual((yield* post(path(owner.id, "disable"), {}, administrator)).status, 204)
      assert.strictEqual((yield* loginWith("owner", undefined)).status, 200)
      assert.strictEqual(yield* status(owner.token), 200)
      const second = yield* person("second")
      const sql = yield* SqlClient
      yield* sql`update app_user set role = 0 where id = ${second.id}`
      const promoted = (yield* login("second", password)).access_token
      assert.strictEqual((yield* post(path(1, "disable"), {}, promoted)).status, 403)
      assert.strictEqual((yield* post(path(1, "disable"), {}, administrator)).status, 400)
    })
  )

  it.effect("ask for a password that cannot be guessed there, nor there and elsewhere by turns", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("pried")
      const ask = (what: "request" | "disable", currentPassword: string) =>
        Effect.map(post(path(id, what), { currentPassword }, token), (answer) => answer.status)
      const me = (currentPassword: string) =>
        Effect.map(
          send("/api/v1/users/me", {
            method: "PUT",
            headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
            body: JSON.stringify({ password: "password2", currentPassword })
          }),
          (answer) => answer.status
        )
      for (let times = 0; times < 12; times++) assert.strictEqual(yield* ask("request", password), 200)
      const tries = yield* Effect.forEach(
        Array.from({ length: 11 }, (_, n) => (n % 2 === 0 ? "request" : "disable")),
        (what) => ask(what, "password2"),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(
        tries.toSorted((a, b) => a - b),
        [...Array.from({ length: 10 }, () => 403), 429]
      )
      assert.strictEqual(yield* ask("request", password), 429)
      assert.strictEqual(yield* me(password), 429)
      const other = yield* person("unbothered")
      assert.strictEqual(
        (yield* post(path(other.id, "request"), { currentPassword: password }, other.token)).status,
        200
      )
    })
  )

  it.effect("have recovery codes, each of which stands in for a one-time code once", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("forgetful")
      const make = (currentPassword: string | undefined) => post(recoveryPath, { currentPassword }, token)
      const left = Effect.map(send(recoveryPath, bearer(token)), ({ json }) => json.total as number)
      assert.strictEqual((yield* make(password)).status, 400)
      yield* switchOn(id, token)
      assert.strictEqual(yield* left, 0)
      assert.strictEqual((yield* make(undefined)).status, 400)
      assert.strictEqual((yield* make("wrong password")).status, 403)

      const made = yield* make(password)
      assert.strictEqual(made.headers.get("cache-control"), "no-store")
      const codes = made.json.codes as ReadonlyArray<string>
      assert.strictEqual(new Set(codes).size, 10)
      for (const code of codes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
      const [first = "", second = "", third = ""] = codes

      // Nothing is used up without the right password.
      assert.strictEqual((yield* loginWith("forgetful", first, { password: "wrong password" })).status, 400)
      const both = yield* Effect.all([loginWith("forgetful", first), loginWith("forgetful", first)], { concurrency: 2 })
      assert.sameMembers(
        both.map((it) => it.status),
        [200, 400]
      )
      assert.strictEqual((yield* loginWith("forgetful", first)).json.code, "invalid_two_factor")
      assert.strictEqual((yield* loginWith("forgetful", second.toUpperCase().replaceAll("-", " "))).status, 200)
      assert.strictEqual(yield* left, 8)

      // Somebody else's codes open nothing.
      const other = yield* person("passerby")
      yield* switchOn(other.id, other.token)
      assert.strictEqual((yield* loginWith("passerby", third)).status, 400)

      const renewed = (yield* make(password)).json.codes as ReadonlyArray<string>
      assert.strictEqual((yield* loginWith("forgetful", third)).status, 400)
      assert.strictEqual((yield* loginWith("forgetful", renewed[0])).status, 200)
      assert.strictEqual((yield* post(path(id, "disable"), { currentPassword: password }, token)).status, 204)
      assert.strictEqual(yield* left, 0)
    })
  )

  it.effect("cannot be passed by a secret that was sealed with a lost key, until an administrator helps", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("lost")
      const authenticator = yield* switchOn(id, token)
      const sql = yield* SqlClient
      yield* sql`update app_user set otp_secret = '1.' || repeat('A', 80) where id = ${id}`
      const refused = yield* loginWith("lost", yield* authenticator.code())
      assert.deepStrictEqual([refused.status, refused.json.code], [400, "invalid_two_factor"])
      assert.strictEqual((yield* post(path(id, "disable"), {}, yield* root)).status, 204)
      assert.strictEqual((yield* loginWith("lost", undefined)).status, 200)
    })
  )
})
