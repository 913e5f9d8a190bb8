import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import { openDatabase } from "../support/EmbeddedServer.ts"
import { KinoraProcess } from "../support/KinoraProcess.ts"

/** How often all connections of the node are cut while it is asked. */
const rounds = 25

describe("a database that cuts connections", () => {
  let node: KinoraProcess

  beforeAll(async () => {
    node = await KinoraProcess.create()
    await node.start()
  }, 120_000)

  afterAll(async () => node.remove(), 120_000)

  it("costs requests a 503 at most, and no task its life", async () => {
    const database = openDatabase(node.dataDir)
    const auth = await node.login()
    const statuses = new Set<number>()
    const retries = new Set<string | null>()
    const cut = Effect.flatMap(
      SqlClient,
      (sql) => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'kinora' and backend_type = 'client backend'`
    )
    for (let round = 0; round < rounds; round++) {
      const asked = Array.from({ length: 8 }, async (_, n) => {
        const answer = await fetch(`${node.url}/api/v1/users/me`, {
          method: "PUT",
          headers: { ...auth, "content-type": "application/json" },
          body: JSON.stringify({ displayName: `Root ${round} ${n}` })
        })
        await answer.arrayBuffer()
        statuses.add(answer.status)
        if (answer.status === 503) retries.add(answer.headers.get("retry-after"))
      })
      await database.runPromise(cut)
      await Promise.all(asked)
    }
    await database.dispose()
    assert.deepStrictEqual(
      [...statuses].filter((status) => status !== 204 && status !== 503),
      []
    )
    assert.isFalse(retries.has(null))
    const { tasks } = await node.json<{ tasks: ReadonlyArray<{ name: string; restarts: number; lastCause: string }> }>(
      "/api/v1/server/debug",
      auth
    )
    assert.deepStrictEqual(
      tasks.filter(({ restarts }) => restarts > 0).map(({ lastCause, name }) => `${name}: ${lastCause}`),
      []
    )
  }, 120_000)
})
