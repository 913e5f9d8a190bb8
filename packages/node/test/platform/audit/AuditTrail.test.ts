import { assert, describe, it, layer } from "@effect/vitest"
import type { AccountId, TokenId, UserId } from "@kinora/domain/ids/Ids"
import { operator } from "@kinora/domain/users/Operator"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail } from "../../../src/platform/audit/AuditTrail.ts"
import { difference } from "../../../src/platform/audit/Difference.ts"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"

const somebody = {
  ...operator,
  id: 7 as UserId,
  username: "mod",
  accountId: 7 as AccountId,
  tokenId: 7 as TokenId
}

const entries = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<Readonly<Record<string, unknown>>>`
    select username, domain, action, target, before, after from audit_entry order by id`
})

const settingIs = (value: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      insert into custom_setting (path, value) values ('test', to_jsonb(${value}::int))
      on conflict (path) do update set value = excluded.value`
  })

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ value: number }>`select value from custom_setting where path = 'test'`
  return rows[0]
}).pipe(withDatabaseErrors)

describe("what an act changed", () => {
  it("is the members that differ, or all of a thing that came or went", () => {
    assert.deepStrictEqual(difference({ a: 1, b: [1, 2] }, { a: 1, b: [1] }), {
      before: { b: [1, 2] },
      after: { b: [1] }
    })
    assert.deepStrictEqual(difference(undefined, { a: 1 }), { after: { a: 1 } })
    assert.deepStrictEqual(difference({ a: 1 }, undefined), { before: { a: 1 } })
    assert.strictEqual(difference({ a: { b: 1 } }, { a: { b: 1 } }), undefined)
    assert.strictEqual(difference(undefined, undefined), undefined)
  })
})

layer(AuditTrail.layer.pipe(Layer.provideMerge(TestDatabase)))("the audit trail", (it) => {
  it.effect("writes an act and its entry together", () =>
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const values = Effect.provideService(setting, SqlClient, yield* SqlClient)
      const change = audit.around(somebody, { domain: "test", action: "update", target: { id: 1 }, values })
      yield* change(settingIs(1))
      yield* change(settingIs(2))
      // Nothing differs: there is nothing to look up.
      yield* change(settingIs(2))
      yield* audit.act(operator, { domain: "test", action: "wait" }, Effect.void)
      yield* audit.act(somebody, { domain: "test", action: "nothing" }, Effect.succeed(false))
      const entry = { username: "mod", domain: "test", action: "update", target: { id: 1 } }
      assert.deepStrictEqual(yield* entries, [
        { ...entry, before: null, after: { value: 1 } },
        { ...entry, before: { value: 1 }, after: { value: 2 } },
        { username: null, domain: "test", action: "wait", target: null, before: null, after: null }
      ])
    })
  )

  it.effect("writes neither when one of them fails", () =>
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const sql = yield* SqlClient
      const before = [yield* setting, yield* entries]
      const about = { domain: "test", action: "update" }
      const failed = yield* Effect.flip(
        audit.act(somebody, about, Effect.andThen(settingIs(3), Effect.fail("refused" as const)))
      )
      assert.strictEqual(failed, "refused")
      assert.deepStrictEqual([yield* setting, yield* entries], before)

      yield* sql`alter table audit_entry add constraint never check (action <> 'unwritable')`
      const died = yield* Effect.exit(audit.act(somebody, { ...about, action: "unwritable" }, settingIs(4)))
      yield* sql`alter table audit_entry drop constraint never`
      assert.isTrue(died._tag === "Failure")
      assert.deepStrictEqual([yield* setting, yield* entries], before)
    })
  )

  it.effect("keeps texts that PostgreSQL's JSON cannot hold, and cuts long ones", () =>
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      yield* audit.record(somebody, {
        domain: "test",
        action: "texts",
        target: { name: "a\0b\ud800", long: "x".repeat(20_000) }
      })
      const last = (yield* entries).at(-1)!
      const target = last["target"] as { readonly name: string; readonly long: string }
      assert.strictEqual(target.name, "ab\ufffd")
      assert.lengthOf(target.long, 10_001)
    })
  )
})
