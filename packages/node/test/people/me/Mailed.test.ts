import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { MailServer } from "../../support/MailServer.ts"
import { addUser, linkTo, mailedNode, password, post } from "../verification/MailedNode.ts"
import { sendJson } from "./Changes.ts"

const me = "/api/v1/users/me"

const node = mailedNode({ signup: { requires_email_verification: true } })

layer(node, { excludeTestServices: true })("The user who asks, where mail is sent", (it) => {
  it.effect("has the new address once its link was followed", () =>
    Effect.gen(function* () {
      const id = yield* addUser("ann", { emailVerified: true })
      const token = (yield* login("ann", password)).access_token
      const known = Effect.map(send(me, bearer(token)), ({ json: { email, pendingEmail } }) => [email, pendingEmail])
      const wanted = { email: "ann@new.example", currentPassword: password }
      assert.strictEqual((yield* sendJson("PUT", me, token, wanted)).status, 204)
      assert.deepStrictEqual(yield* known, ["ann@example.com", "ann@new.example"])
      const { verificationString } = yield* linkTo("ann@new.example")
      assert.strictEqual((yield* post(`/api/v1/users/${id}/verify-email`, { verificationString })).status, 204)
      assert.deepStrictEqual(yield* known, ["ann@new.example", null])
    })
  )

  it.effect("can take a wish for another address back", () =>
    Effect.gen(function* () {
      yield* addUser("una", { emailVerified: true })
      const token = (yield* login("una", password)).access_token
      const change = (email: string) => sendJson("PUT", me, token, { email, currentPassword: password })
      yield* change("una@new.example")
      assert.strictEqual((yield* change("una@example.com")).status, 204)
      const { json } = yield* send(me, bearer(token))
      assert.deepInclude(json, { email: "una@example.com", pendingEmail: null })
    })
  )

  it.effect("is told of a new password, and of nothing when it was not changed", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      yield* addUser("ivy", { emailVerified: true })
      const token = (yield* login("ivy", password)).access_token
      const change = (currentPassword: string, next: string) =>
        sendJson("PUT", me, token, { password: next, currentPassword })
      assert.strictEqual((yield* change("not this one", "another password")).status, 401)
      assert.strictEqual((yield* change(password, "another password")).status, 204)
      yield* server.waitFor((mail) => mail.to.includes("ivy@example.com"), "a mail to ivy")
      yield* login("ivy", "another password")
    })
  )
})
