import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { peopledNode } from "../video/list/People.ts"
import { accept, addJob, manage, post, registrationToken, runner, stateOf } from "./Runners.ts"

const names = (json: { readonly data: ReadonlyArray<{ readonly name: string }> }) => json.data.map(({ name }) => name)

layer(peopledNode, { excludeTestServices: true, timeout: 60_000 })("Registering runners", (it) => {
  it.effect("administrators make, list and delete registration tokens, and nobody else", () =>
    Effect.gen(function* () {
      for (const [method, path] of [
        ["POST", "/registration-tokens/generate"],
        ["GET", "/registration-tokens"],
        ["DELETE", "/registration-tokens/1"],
        ["GET", "/"],
        ["DELETE", "/1"]
      ] as const) {
        assert.strictEqual((yield* manage(method, path, "anonymous")).status, 401, path)
        assert.strictEqual((yield* manage(method, path, "moderator")).status, 403, path)
      }
      assert.strictEqual((yield* manage("POST", "/registration-tokens/generate")).status, 204)
      const { id, registrationToken: token } = yield* registrationToken()
      assert.match(token, /^ptrrt-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
      const page = yield* manage("GET", "/registration-tokens?sort=createdAt&count=1")
      assert.deepStrictEqual([page.json.total, page.json.data.length], [2, 1])
      assert.strictEqual(page.json.data[0].registeredRunnersCount, 0)
      assert.strictEqual((yield* manage("GET", "/registration-tokens?sort=name")).status, 400)
      assert.strictEqual((yield* manage("DELETE", `/registration-tokens/${id}`)).status, 204)
      assert.strictEqual((yield* manage("DELETE", `/registration-tokens/${id}`)).status, 404)
      const refused = yield* post("/register", { name: "late", registrationToken: token })
      assert.deepStrictEqual([refused.status, (yield* manage("GET", "/")).json.total], [404, 0])
    })
  )

  it.effect("RUN-01: registers once a name, with a token that is known", () =>
    Effect.gen(function* () {
      const { id: tokenId, registrationToken: token } = yield* registrationToken()
      const body = { name: "Encoder", description: "in the cellar", version: "0.5.0", registrationToken: token }
      const made = yield* post("/register", body)
      assert.strictEqual(made.status, 200)
      assert.match(made.json.runnerToken, /^ptrt-[0-9a-f-]{36}$/)
      for (const name of ["Encoder", "ENCODER"]) {
        const taken = yield* post("/register", { ...body, name })
        assert.strictEqual(taken.status, 400)
        assert.property(taken.json["invalid-params"], "name")
      }
      assert.strictEqual((yield* post("/register", { ...body, name: "b", registrationToken: "ptrrt-x" })).status, 404)
      const wrong = yield* post("/register", { name: "", description: "x".repeat(1001), version: 5 })
      assert.strictEqual(wrong.status, 400)
      assert.sameMembers(Object.keys(wrong.json["invalid-params"]), [
        "registrationToken",
        "name",
        "description",
        "version"
      ])
      assert.strictEqual((yield* post("/register", { ...body, name: "a\u202e\u0007b" })).status, 400)
      const { json } = yield* manage("GET", "/")
      assert.strictEqual(json.total, 1)
      assert.deepInclude(json.data[0], {
        id: made.json.id,
        name: "Encoder",
        description: "in the cellar",
        version: "0.5.0",
        ip: "127.0.0.1"
      })
      assert.notInclude(JSON.stringify(json), made.json.runnerToken)
      const sql = yield* SqlClient
      const rows = yield* sql<{ text: string }>`
        select (select string_agg(r::text, '') from runner r) ||
          (select string_agg(t::text, '') from runner_registration_token t) as text`
      assert.notInclude(rows[0]!.text, made.json.runnerToken)
      assert.notInclude(rows[0]!.text, token)
      assert.strictEqual((yield* manage("GET", "/registration-tokens")).json.data[0].registeredRunnersCount, 1)
      assert.strictEqual((yield* manage("DELETE", `/registration-tokens/${tokenId}`)).status, 204)
      assert.strictEqual((yield* manage("GET", "/")).json.total, 0)
      const gone = yield* post("/jobs/request", { runnerToken: made.json.runnerToken })
      assert.deepStrictEqual([gone.status, gone.json.code], [404, "unknown_runner_token"])
    })
  )

  it.effect("who unregisters, or is deleted, is unknown from then on, and its jobs go back", () =>
    Effect.gen(function* () {
      const first = yield* runner("first")
      const second = yield* runner("second")
      const held = yield* addJob()
      yield* accept(held.uuid, first.runnerToken)
      assert.deepStrictEqual(names((yield* manage("GET", "/?sort=createdAt")).json), ["first", "second"])
      assert.deepStrictEqual(names((yield* manage("GET", "/?start=1&sort=createdAt")).json), ["second"])
      assert.strictEqual((yield* post("/unregister", { runnerToken: first.runnerToken })).status, 204)
      assert.strictEqual(yield* stateOf(held.uuid), 1)
      yield* accept(held.uuid, second.runnerToken)
      assert.strictEqual((yield* manage("DELETE", `/${second.id}`)).status, 204)
      assert.strictEqual((yield* manage("DELETE", `/${second.id}`)).status, 404)
      assert.strictEqual(yield* stateOf(held.uuid), 1)
      for (const { runnerToken } of [first, second]) {
        for (const path of ["/unregister", "/jobs/request", `/jobs/${held.uuid}/accept`]) {
          const answer = yield* post(path, { runnerToken })
          assert.deepStrictEqual([answer.status, answer.json.code], [404, "unknown_runner_token"], path)
        }
      }
      assert.strictEqual((yield* post("/unregister", {})).status, 400)
    })
  )
})
