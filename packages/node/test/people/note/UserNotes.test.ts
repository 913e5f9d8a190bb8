import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { testNode } from "../../instance/about/TestNode.ts"
import { call, enrol, rootToken } from "../user/UserCalls.ts"

layer(testNode(), { excludeTestServices: true, timeout: 120_000 })("notes about users", (it) => {
  it.effect("are written and read by moderators, and changed by their author alone", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const user = yield* enrol("noted")
      const one = yield* enrol("mod1", 1)
      const two = yield* enrol("mod2", 1)
      const notes = `/${user.id}/notes`
      const made = yield* call("POST", notes, one.token, { text: "Was warned <twice>" })
      assert.strictEqual(made.status, 200, made.text)
      const note = `${notes}/${made.json.note.id}`
      yield* call("POST", notes, root, { text: "Paid the bill" })

      const listed = yield* call("GET", `${notes}?sort=createdAt`, two.token)
      assert.strictEqual(listed.json.total, 2)
      assert.deepStrictEqual(
        listed.json.data.map(({ author, text }: Record<string, string>) => [author, text]),
        [
          ["mod1", "Was warned <twice>"],
          ["root", "Paid the bill"]
        ]
      )
      assert.strictEqual((yield* call("PUT", note, two.token, { text: "No" })).status, 403)
      assert.strictEqual((yield* call("DELETE", note, two.token)).status, 403)
      assert.strictEqual((yield* call("PUT", note, one.token, { text: "Was warned once" })).status, 204)
      assert.strictEqual((yield* call("GET", `${notes}?count=1`, root)).json.data[0].text, "Paid the bill")
      assert.strictEqual((yield* call("DELETE", note, root)).status, 204)
      assert.strictEqual((yield* call("DELETE", note, root)).status, 404)
      assert.strictEqual((yield* call("POST", notes, one.token, { text: "" })).status, 400)
    })
  )

  it.effect("are hidden from those they are about, and outlive their author", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const user = yield* enrol("about")
      const moderator = yield* enrol("moderator", 1)
      assert.strictEqual((yield* call("GET", `/${user.id}/notes`, user.token)).status, 403)
      // About moderators only administrators note, so that no moderator reads what is said of them.
      assert.strictEqual((yield* call("GET", `/${moderator.id}/notes`, moderator.token)).status, 403)
      assert.strictEqual((yield* call("POST", `/${moderator.id}/notes`, root, { text: "Hasty" })).status, 200)
      assert.strictEqual((yield* call("GET", "/999999/notes", root)).status, 404)

      yield* call("POST", `/${user.id}/notes`, moderator.token, { text: "Kept" })
      assert.strictEqual((yield* call("DELETE", `/${moderator.id}`, root)).status, 204)
      const { json } = yield* call("GET", `/${user.id}/notes`, root)
      assert.deepStrictEqual([json.data[0].author, json.data[0].text], ["moderator", "Kept"])
      // A note about another user is not found by its id.
      const other = yield* enrol("another")
      assert.strictEqual((yield* call("DELETE", `/${other.id}/notes/${json.data[0].id}`, root)).status, 404)
    })
  )
})
