import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { TokenRows } from "../../src/sessions/TokenRows.ts"
import { UserRows } from "../../src/users/UserRows.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { newUser } from "../users/NewUsers.ts"

const sha = (text: string): Uint8Array => createHash("sha256").update(text).digest()
const pair = (name: string, accessSeconds = 60, refreshSeconds = 120) => ({
  accessHash: sha(`access ${name}`),
  refreshHash: sha(`refresh ${name}`),
  accessSeconds,
  refreshSeconds,
  device: "curl",
  ip: "127.0.0.1"
})

const repositories = Layer.mergeAll(TokenRows.layer, UserRows.layer).pipe(Layer.provideMerge(TestDatabase))

const setUp = Effect.fnUntraced(function* (username: string) {
  const sql = yield* SqlClient
  const clients = yield* sql<{ id: number }>`
    insert into oauth_client (client_id, client_secret, grants)
    values (${username.padEnd(32, "0")}, ${username.padEnd(32, "0")}, array['password']) returning id`
  const { userId } = yield* (yield* UserRows).create(newUser(username))
  return { clientId: clients[0]!.id, userId }
})

layer(repositories)("tokens", (it) => {
  it.effect("speak for their user until they expire, are revoked, or the user is blocked", () =>
    Effect.gen(function* () {
      const tokens = yield* TokenRows
      const sql = yield* SqlClient
      const { clientId, userId } = yield* setUp("eve")
      yield* tokens.insert(clientId, userId, pair("live"))
      yield* tokens.insert(clientId, userId, pair("over", -1))
      const session = Option.getOrThrow(yield* tokens.byAccessToken(sha("access live")))
      assert.deepInclude(session, { userId, username: "eve", accountName: "eve", role: 2 })
      assert.isTrue(Option.isNone(yield* tokens.byAccessToken(sha("access over"))))
      yield* sql`update app_user set blocked = true where id = ${userId}`
      assert.isTrue(Option.isNone(yield* tokens.byAccessToken(sha("access live"))))
      assert.isTrue(Option.isNone(yield* tokens.rotate(clientId, sha("refresh live"), pair("blocked"))))
      yield* sql`update app_user set blocked = false where id = ${userId}`
      yield* tokens.revoke(session.tokenId)
      assert.isTrue(Option.isNone(yield* tokens.byAccessToken(sha("access live"))))
    })
  )

  it.effect("are refreshed once, however many try at once", () =>
    Effect.gen(function* () {
      const tokens = yield* TokenRows
      const { clientId, userId } = yield* setUp("frank")
      yield* tokens.insert(clientId, userId, pair("old"))
      const tries = yield* Effect.all(
        ["x", "y", "z"].map((name) => tokens.rotate(clientId, sha("refresh old"), pair(name))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tries.filter(Option.isSome).length, 1)
      assert.isTrue(Option.isNone(yield* tokens.byAccessToken(sha("access old"))))
    })
  )

  it.effect("of a user end when the password changes, and those that cannot be refreshed are pruned", () =>
    Effect.gen(function* () {
      const tokens = yield* TokenRows
      const users = yield* UserRows
      const { clientId, userId } = yield* setUp("grace")
      yield* tokens.insert(clientId, userId, pair("grace"))
      yield* users.setPassword("grace", "new")
      assert.isTrue(Option.isNone(yield* tokens.byAccessToken(sha("access grace"))))
      yield* tokens.insert(clientId, userId, pair("stale", -2, -1))
      assert.strictEqual(yield* tokens.prune, 1)
    })
  )
})
