import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fill, operations } from "../Operations.ts"
import { ask, RunningNode } from "../RunningNode.ts"
import { actingNode, acts, perform } from "./ActingNode.ts"
import { runnerSecret } from "./OfInstance.ts"
import { newPassword } from "./OfPeople.ts"
import { videoPassword } from "./OfVideos.ts"

/** Operations that leave no entry, and why. */
const withoutEntry: Readonly<Record<string, string>> = {
  postUsersMailingsPreview: "changes nothing",
  requestTwoFactor: "changes nothing: the confirmation does, and leaves an entry",
  markLive: "marks what a publisher sends: the test of lives has one, and looks for its entry",
  endLive: "ends what a publisher sends: the test of lives has one, and looks for its entry",
  generateVideoCaption: "there is no transcription",
  postVideosStudioEdit: "there is no studio",
  userImportResumableInit: "reserves room for an upload, whose last chunk leaves the entry",
  userImportResumableCancel: "gives the room back",
  replaceVideoSourceResumableInit: "reserves room for an upload, whose last chunk leaves the entry",
  replaceVideoSourceResumableCancel: "gives the room back"
}

interface Entry {
  readonly username: string | null
  readonly domain: string
  readonly action: string
  readonly before: unknown
  readonly after: unknown
}

layer(actingNode, { excludeTestServices: true, timeout: 120_000 })("the audit log", (it) => {
  it.effect(
    "has an entry of every act that a role lets somebody do",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { people, process } = yield* RunningNode
        const all = (yield* operations).filter(
          ({ method, right, rightOverOthers }) => method !== "GET" && (right ?? rightOverOthers) !== undefined
        )
        const known = [...Object.keys(acts), ...Object.keys(withoutEntry)]
        assert.deepStrictEqual(known.toSorted(), all.map(({ id }) => id).toSorted())

        const wrong: Array<string> = []
        for (const { id, method, path } of all) {
          const act = acts[id]
          if (act === undefined) continue
          const values = act.given === undefined ? {} : yield* act.given
          // Nothing that was begun goes on: no job of an act is done.
          if (act.entry[0] !== "jobs") yield* sql`insert into job_pause default values on conflict do nothing`
          const [last] = yield* sql<{ id: string }>`select coalesce(max(id), 0)::text as id from audit_entry`
          const answer = yield* perform(method, fill(path, values), act, values, people.administrator)
          if (answer.status >= 300) {
            wrong.push(`${id}: ${answer.status} ${answer.text} ${process.output.slice(-1000)}`)
            continue
          }
          const entries = yield* sql<Entry>`
          select username, domain, action, before, after from audit_entry where id > ${last!.id}::bigint`
          const [domain, action] = act.entry
          const found = entries.filter((entry) => entry.domain === domain && entry.action === action)
          const has = (["before", "after"] as const).filter((side) => (found[0]?.[side] ?? null) !== null)
          const isRight = found.length === 1 && found[0]!.username === "root" && has.join() === (act.has ?? []).join()
          if (!isRight) wrong.push(`${id}: ${JSON.stringify(entries)}`)
        }
        assert.deepStrictEqual(wrong, [])

        const secrets = [newPassword, videoPassword, runnerSecret, "secret-hash", "a sealed secret", "one more secret"]
        for (const secret of secrets) {
          const told = yield* sql`select * from audit_entry e where to_jsonb(e)::text like ${`%${secret}%`}`
          assert.deepStrictEqual(told, [], secret)
        }
      }),
    // About a hundred acts, one after another, on a machine that may be busy.
    300_000
  )

  it.effect("is silent about what people do with things of their own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { people } = yield* RunningNode
      const json = { ...people.administrator, "content-type": "application/json" }
      const count = sql<{ count: number }>`select count(*)::int as count from audit_entry`
      const before = yield* count
      const name = { name: "of_root", displayName: "Of root" }
      assert.strictEqual((yield* ask("POST", "/api/v1/video-channels", json, JSON.stringify(name))).status, 200)
      const change = JSON.stringify({ displayName: "Changed" })
      assert.strictEqual((yield* ask("PUT", "/api/v1/video-channels/of_root", json, change)).status, 204)
      assert.strictEqual((yield* ask("DELETE", "/api/v1/video-channels/of_root", people.administrator)).status, 204)
      assert.deepStrictEqual(yield* count, before)
    })
  )

  it.effect("has no entry of an act that was refused, or that changed nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { people } = yield* RunningNode
      const json = { ...people.administrator, "content-type": "application/json" }
      const block = () =>
        ask("POST", "/api/v1/server/blocklist/servers", json, JSON.stringify({ host: "muted-twice.example" }))
      const count = sql<{ count: number }>`select count(*)::int as count from audit_entry`
      yield* block()
      const before = yield* count
      assert.strictEqual((yield* block()).status, 204)
      assert.strictEqual((yield* ask("DELETE", "/api/v1/users/999999", people.administrator)).status, 404)
      const asModerator = { ...json, ...people.moderator }
      assert.strictEqual((yield* ask("PUT", "/api/v1/users/1", asModerator, `{"role":2}`)).status, 403)
      assert.deepStrictEqual(yield* count, before)
    })
  )
})
