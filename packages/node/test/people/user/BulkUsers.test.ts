import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { testNode } from "../../instance/about/TestNode.ts"
import { call, enrol, isIn, rootToken, tokenOf } from "./UserCalls.ts"

const isThere = (token: string, id: number) =>
  Effect.map(call("GET", `/${id}`, token), ({ json, status }) => (status === 200 ? json.blocked : undefined))

layer(testNode(), { excludeTestServices: true, timeout: 120_000 })("some users at once", (it) => {
  it.effect("are blocked, let in again and deleted, each by itself", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const one = yield* enrol("one")
      const two = yield* enrol("two")
      const userIds = [one.id, 999_999, two.id, 1, one.id]
      const refused = [
        { id: 999_999, done: false, detail: "User not found" },
        { id: 1, done: false, detail: "You cannot block this user" }
      ]
      const blocked = yield* call("POST", "/bulk/block", root, { userIds, reason: "Spam" })
      assert.strictEqual(blocked.status, 200, blocked.text)
      assert.deepStrictEqual(blocked.json.data, [
        { id: one.id, done: true },
        refused[0],
        { id: two.id, done: true },
        refused[1]
      ])
      assert.isFalse(yield* isIn(one.token))
      assert.deepStrictEqual(yield* Effect.all([isThere(root, one.id), isThere(root, two.id)]), [true, true])

      const unblocked = yield* call("POST", "/bulk/unblock", root, { userIds: [two.id] })
      assert.deepStrictEqual(unblocked.json.data, [{ id: two.id, done: true }])
      assert.strictEqual(yield* isThere(root, two.id), false)

      const deleted = yield* call("POST", "/bulk/delete", root, { userIds: [one.id, two.id] })
      assert.deepStrictEqual(deleted.json.data, [
        { id: one.id, done: true },
        { id: two.id, done: true }
      ])
      assert.deepStrictEqual(yield* Effect.all([isThere(root, one.id), isThere(root, two.id)]), [undefined, undefined])
    })
  )

  it.effect("follow the rules for single users", () =>
    Effect.gen(function* () {
      const moderator = yield* enrol("mod", 1)
      const other = yield* enrol("mod2", 1)
      const plain = yield* enrol("plain")
      const token = yield* tokenOf("mod")
      const userIds = [other.id, plain.id, moderator.id]
      const { json } = yield* call("POST", "/bulk/delete", token, { userIds })
      assert.deepStrictEqual(
        json.data.map(({ done }: { done: boolean }) => done),
        [false, true, false]
      )
      assert.strictEqual((yield* call("POST", "/bulk/block", yield* tokenOf("mod2"), { userIds: [] })).status, 400)
      const many = Array.from({ length: 101 }, (_, n) => n + 1)
      assert.strictEqual((yield* call("POST", "/bulk/block", token, { userIds: many })).status, 400)
      const nobody = yield* enrol("nobody")
      assert.strictEqual((yield* call("POST", "/bulk/delete", nobody.token, { userIds: [1] })).status, 403)
    })
  )
})
