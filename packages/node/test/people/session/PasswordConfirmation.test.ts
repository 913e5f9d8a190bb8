import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { asked, call, enrol, rootToken } from "../user/UserCalls.ts"

const code = "password_confirmation_required"

/** As if everybody had logged in, and confirmed, an hour ago. */
const anHourLater = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    update oauth_token set login_at = login_at - interval '1 hour', confirmed_at = confirmed_at - interval '1 hour'`
})

const confirm = (token: string, currentPassword: string) =>
  call("POST", "/me/confirm-password", token, { currentPassword })

layer(testNode({ security: { confirm_dangerous_acts: true } }), { excludeTestServices: true, timeout: 120_000 })(
  "an instance that has dangerous acts confirmed",
  (it) => {
    it.effect("refuses them without, and lets a session do them that confirmed the password lately", () =>
      Effect.gen(function* () {
        const root = yield* rootToken
        const { id } = yield* enrol("victim")
        yield* anHourLater
        const dangerous = [
          ["DELETE", `/${id}`, undefined],
          ["POST", "/bulk/delete", { userIds: [id] }],
          ["PUT", `/${id}`, { role: 0 }],
          ["PUT", `/${id}`, { password: "password9" }],
          ["POST", "", asked("boss", { role: 0 })],
          ["POST", `/${id}/two-factor/disable`, {}]
        ] as const
        for (const [method, path, body] of dangerous) {
          const answer = yield* call(method, path, root, body)
          assert.deepStrictEqual([path, answer.status, answer.json.code], [path, 403, code])
        }
        const reset = yield* send("/api/v1/config/custom", {
          method: "DELETE",
          headers: { authorization: `Bearer ${root}` }
        })
        assert.deepStrictEqual([reset.status, reset.json.code], [403, code])
        // What is not dangerous is done as ever.
        assert.strictEqual((yield* call("PUT", `/${id}`, root, { videoQuota: 7 })).status, 204)
        assert.strictEqual((yield* call("POST", `/${id}/block`, root)).status, 204)

        const wrong = yield* confirm(root, "not-the-password")
        assert.deepStrictEqual([wrong.status, wrong.json.code], [403, "current_password_is_invalid"])
        assert.strictEqual((yield* call("DELETE", `/${id}`, root)).status, 403)
        assert.strictEqual((yield* confirm(root, rootPassword)).status, 204)
        assert.strictEqual((yield* call("PUT", `/${id}`, root, { role: 0 })).status, 204)
        yield* anHourLater
        assert.strictEqual((yield* call("DELETE", `/${id}`, root)).status, 403)
        // Another session of the same user, which has just begun with the password.
        assert.strictEqual((yield* call("DELETE", `/${id}`, yield* rootToken)).status, 204)
      })
    )
  }
)

layer(testNode(), { excludeTestServices: true, timeout: 120_000 })("an instance that does not", (it) => {
  it.effect("asks stock clients for nothing", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const { id } = yield* enrol("victim")
      yield* anHourLater
      assert.strictEqual((yield* call("DELETE", `/${id}`, root)).status, 204)
    })
  )
})
