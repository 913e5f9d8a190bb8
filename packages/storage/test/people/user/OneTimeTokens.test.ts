import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { OneTimeTokens, type TokenOwner } from "../../../src/people/user/OneTimeTokens.ts"
import { UserRows } from "../../../src/people/user/UserRows.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { newUser } from "./NewUsers.ts"

const repositories = Layer.mergeAll(OneTimeTokens.layer, UserRows.layer).pipe(Layer.provideMerge(TestDatabase))

const digest = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

const owner = Effect.fnUntraced(function* (username: string) {
  const users = yield* UserRows
  return { _tag: "User", userId: (yield* users.create(newUser(username))).userId } satisfies TokenOwner
})

layer(repositories)("one-time tokens", (it) => {
  it.effect("work once, for their owner and their purpose only", () =>
    Effect.gen(function* () {
      const tokens = yield* OneTimeTokens
      const ada = yield* owner("ada")
      const bob = yield* owner("bob")
      yield* tokens.issue({
        hash: digest(1),
        purpose: "reset-password",
        owner: ada,
        lifetimeSeconds: 60,
        atOnce: 1,
        payload: { a: 1 }
      })
      assert.isTrue(Option.isNone(yield* tokens.take(digest(1), "reset-password", bob)))
      assert.isTrue(Option.isNone(yield* tokens.take(digest(1), "verify-email", ada)))
      assert.isTrue(Option.isNone(yield* tokens.take(digest(2), "reset-password", ada)))
      assert.deepStrictEqual(Option.getOrThrow(yield* tokens.read(digest(1), "reset-password", ada)), { a: 1 })
      assert.deepStrictEqual(Option.getOrThrow(yield* tokens.take(digest(1), "reset-password", ada)), { a: 1 })
      assert.isTrue(Option.isNone(yield* tokens.take(digest(1), "reset-password", ada)))
    })
  )

  it.effect("end when too many newer ones are made, when they expire and when they are pruned", () =>
    Effect.gen(function* () {
      const tokens = yield* OneTimeTokens
      const sql = yield* SqlClient
      const eve = yield* owner("eve")
      const one = { purpose: "verify-email", owner: eve, lifetimeSeconds: 60, atOnce: 2 } as const
      for (const byte of [10, 11, 12]) yield* tokens.issue({ ...one, hash: digest(byte) })
      assert.isTrue(Option.isNone(yield* tokens.read(digest(10), "verify-email", eve)))
      assert.isTrue(Option.isSome(yield* tokens.read(digest(11), "verify-email", eve)))
      yield* tokens.issue({ ...one, hash: digest(12 + 1), purpose: "two-factor", atOnce: 1 })
      yield* tokens.issue({ ...one, hash: digest(12 + 2), purpose: "two-factor", atOnce: 1 })
      assert.isTrue(Option.isNone(yield* tokens.read(digest(13), "two-factor", eve)))
      yield* sql`delete from one_time_token where hash = ${digest(11)}`
      yield* sql`delete from one_time_token where hash = ${digest(14)}`
      assert.isTrue(Option.isNone(yield* tokens.read(digest(11), "verify-email", eve)))
      assert.isTrue(Option.isSome(yield* tokens.read(digest(12), "verify-email", eve)))
      yield* sql`update one_time_token set expires_at = now() - interval '1 second' where hash = ${digest(12)}`
      assert.isTrue(Option.isNone(yield* tokens.take(digest(12), "verify-email", eve)))
      assert.strictEqual(yield* tokens.prune, 1)
    })
  )
})
