import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { TokenRows } from "../../../src/people/session/TokenRows.ts"
import { UserRows } from "../../../src/people/user/UserRows.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { newUser } from "../user/NewUsers.ts"

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
  return { clientId: clients[0]!.id, userId, user: { id: userId, passwordHash: "none" } }
})

layer(repositories)("tokens", (it) => {
  it.effect("speak for their user until they expire, are revoked, or the user is blocked", () =>
    Effect.gen(function* () {
      const tokens = yield* TokenRows
      const sql = yield* SqlClient
      const { clientId, user, userId } = yield* setUp("eve")
      yield* tokens.insert(clientId, user, pair("live"))
      yield* tokens.insert(clientId, user, pair("over", -1))
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

  it.effect("do not begin with a password that is being changed", () =>
    Effect.gen(function* () {
      const tokens = yield* TokenRows
      const users = yield* UserRows
      const sql = yield* SqlClient
      const { clientId, user, userId } = yield* setUp("late")
      const changed = yield* Deferred.make<void>()
      const commit = yield* Deferred.make<void>()
      const change = users
        .setPassword(userId, "other")
        .pipe(
          Effect.andThen(Deferred.succeed(changed, undefined)),
          Effect.andThen(Deferred.await(commit)),
          sql.withTransaction
        )
      const changing = yield* Effect.forkChild(change)
      yield* Deferred.await(changed)
      const login = yield* Effect.forkChild(tokens.insert(clientId, user, pair("late")))
      // A connection of its own: those of the pool may have to wait behind the statement that waits.
      const observer = yield* PgConnection.make((yield* PgClient).config)
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%insert into oauth_token%'`
      yield* Effect.repeat(observer.query(waiting), {
        until: ({ rows }) => rows.length > 0 || login.pollUnsafe() !== undefined
      })
      yield* Deferred.succeed(commit, undefined)
      yield* Fiber.join(changing)
      assert.isFalse(yield* Fiber.join(login))
      assert.strictEqual((yield* tokens.list(userId, { start: 0, count: 1, descending: true })).total, 0)
      assert.isTrue(yield* tokens.insert(clientId, { id: userId, passwordHash: "other" }, pair("again")))
    })
  )

  it.effect("are refreshed once, however many try at once", () =>
    Effect.gen(function* () {
      const tokens = yield* TokenRows
      const { clientId, user } = yield* setUp("frank")
      yield* tokens.insert(clientId, user, pair("old"))
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
      const { clientId, user } = yield* setUp("grace")
      yield* tokens.insert(clientId, user, pair("grace"))
      yield* users.setPassword("grace", "new")
      assert.isTrue(Option.isNone(yield* tokens.byAccessToken(sha("access grace"))))
      yield* tokens.insert(clientId, { ...user, passwordHash: "new" }, pair("stale", -2, -1))
      assert.strictEqual(yield* tokens.prune, 1)
    })
  )
})
