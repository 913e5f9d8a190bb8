import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { newUser, sendJson } from "../../people/me/Changes.ts"
import { addVideo } from "./Videos.ts"

const lists = ["/api/v1/videos", "/api/v1/accounts/root/videos", "/api/v1/video-channels/root_channel/videos"]

const flagged = { plain: null, unnamed: 0, violent: 1, explicit: 2, both: 3 }

/** Videos of the flags above; `plain` is safe for work. */
const addVideos = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const [name, flags] of Object.entries(flagged)) {
    const { id } = yield* addVideo({ owner: "root" })
    yield* sql`
      update video set name = ${name}, nsfw = ${flags !== null}, nsfw_flags = ${flags ?? 0}::int where id = ${id}`
  }
})

/** Names of the videos that every kind of list shows, and what it says their number is. */
const shown = Effect.fnUntraced(function* (token: string | undefined, query = "") {
  const init = token === undefined ? {} : bearer(token)
  const answers = yield* Effect.forEach(lists, (list) => send(`${list}${query}`, init))
  const found = answers.map(({ json, text }) => {
    const names = (json?.data as ReadonlyArray<{ readonly name: string }> | undefined)?.map(({ name }) => name)
    if (names === undefined) throw new Error(text)
    assert.strictEqual(json.total, names.length, query)
    return names.toSorted()
  })
  for (const other of found) assert.deepStrictEqual(other, found[0])
  return found[0]!.join(" ")
})

const all = "both explicit plain unnamed violent"

for (const [policy, everybodySees] of [
  ["do_not_list", "plain"],
  ["display", all]
] as const) {
  layer(testNode({ instance: { default_nsfw_policy: policy } }), { excludeTestServices: true })(
    `videos that are not safe for work, where the instance says ${policy}`,
    (it) => {
      it.effect("are listed as the reader chose, from the next request on", () =>
        Effect.gen(function* () {
          yield* addVideos
          const token = yield* newUser("reader")
          const choose = (choice: Record<string, unknown>) =>
            Effect.map(sendJson("PUT", "/api/v1/users/me", token, choice), ({ status, text }) =>
              assert.strictEqual(status, 204, text)
            )
          assert.strictEqual(yield* shown(undefined), everybodySees)
          assert.strictEqual(yield* shown(token), everybodySees)
          for (const own of ["warn", "blur", "display"]) {
            yield* choose({ nsfwPolicy: own })
            assert.strictEqual(yield* shown(token), all, own)
          }
          yield* choose({ nsfwFlagsHidden: 1 })
          assert.strictEqual(yield* shown(token), "explicit plain unnamed")
          yield* choose({ nsfwPolicy: "do_not_list" })
          assert.strictEqual(yield* shown(token), "plain")
          for (const name of ["nsfwFlagsDisplayed", "nsfwFlagsWarned", "nsfwFlagsBlurred"]) {
            yield* choose({ [name]: 2, nsfwFlagsHidden: 0 })
            assert.strictEqual(yield* shown(token), "explicit plain", name)
          }
          yield* choose({ nsfwFlagsWarned: 1 })
          assert.strictEqual(yield* shown(token), "both explicit plain violent")
          assert.strictEqual(yield* shown(undefined), everybodySees)
        })
      )

      it.effect("are listed as the query says, whatever anybody chose", () =>
        Effect.gen(function* () {
          const strict = yield* newUser("strict")
          yield* sendJson("PUT", "/api/v1/users/me", strict, { nsfwPolicy: "do_not_list", nsfwFlagsHidden: 3 })
          const lenient = yield* newUser("lenient")
          yield* sendJson("PUT", "/api/v1/users/me", lenient, { nsfwPolicy: "display", nsfwFlagsDisplayed: 3 })
          for (const token of [strict, lenient, undefined]) {
            assert.strictEqual(yield* shown(token, "?nsfw=both"), all)
            assert.strictEqual(yield* shown(token, "?nsfw=true"), "both explicit unnamed violent")
            assert.strictEqual(yield* shown(token, "?nsfw=false"), "plain")
            assert.strictEqual(yield* shown(token, "?nsfw=both&nsfwFlagsExcluded=2"), "plain unnamed violent")
          }
          assert.strictEqual(yield* shown(strict, "?nsfwFlagsIncluded=1"), "plain violent")
          assert.strictEqual(yield* shown(lenient, "?nsfwFlagsExcluded=1"), "explicit plain unnamed")
        })
      )
    }
  )
}
