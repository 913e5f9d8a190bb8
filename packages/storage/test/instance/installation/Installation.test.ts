import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Installation } from "../../../src/instance/installation/Installation.ts"
import { InstanceCounts } from "../../../src/instance/installation/InstanceCounts.ts"
import { InstanceSettings } from "../../../src/instance/installation/InstanceSettings.ts"
import { OAuthClients } from "../../../src/people/session/OAuthClients.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { newActor, newUser } from "../../people/user/NewUsers.ts"

const repositories = Layer.mergeAll(
  Installation.layer,
  InstanceSettings.layer,
  InstanceCounts.layer,
  OAuthClients.layer
).pipe(Layer.provideMerge(TestDatabase))

const contents = (name: string) => ({
  applicationActor: newActor("Application", "peertube"),
  administrator: newUser(name),
  client: { id: name.padEnd(32, "0"), secret: name.padEnd(32, "0") }
})

layer(repositories)("instance", (it) => {
  it.effect("is set up by one of two nodes that start at once", () =>
    Effect.gen(function* () {
      const installation = yield* Installation
      assert.isFalse(yield* installation.isDone)
      const written = yield* Effect.all(
        ["one", "two", "three"].map((name) => installation.install(contents(name))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(written.filter((done) => done).length, 1)
      assert.isTrue(yield* installation.isDone)
      const sql = yield* SqlClient
      const rows = yield* sql<{ n: number }>`
        select (select count(*) from app_user) as n union all select (select count(*) from oauth_client)
        union all select (select count(*) from actor where type = 'Application')`
      assert.deepStrictEqual(
        rows.map((row) => row.n),
        [1, 1, 1]
      )
      assert.deepStrictEqual((yield* (yield* OAuthClients).local).grants, ["password", "refresh_token"])
      assert.strictEqual((yield* (yield* InstanceCounts).usage).users, 1)
    })
  )

  it.effect("settings keep what was written first", () =>
    Effect.gen(function* () {
      const settings = yield* InstanceSettings
      const values = yield* Effect.all(
        ["a", "b", "c"].map((value) => settings.textOr("key", value)),
        {
          concurrency: "unbounded"
        }
      )
      assert.strictEqual(new Set(values).size, 1)
      assert.strictEqual(yield* settings.textOr("key", "later"), values[0])
    })
  )
})
