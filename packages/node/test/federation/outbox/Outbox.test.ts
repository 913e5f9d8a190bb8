import { assert, layer } from "@effect/vitest"
import { OutboxChanges } from "@kinora/storage/federation/outbox/OutboxChanges"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"
import { outboxLayer } from "../../../src/federation/outbox/OutboxLayer.ts"
import { outboxDatabase, recorded, remoteActor, world } from "./Recorded.ts"

class Here extends Context.Service<Here, Effect.Success<typeof world>>()("test/Here") {}

const services = Layer.effect(Here, world).pipe(
  Layer.provideMerge(OutboxChanges.layer),
  Layer.provideMerge(outboxDatabase)
)

const changes = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ kind: string; failures: number }>`select kind, failures from outbox_change order by id`
})

/** A follower elsewhere of the second person's channel; its follow changes without anybody looking. */
const follower = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  const { second } = yield* Here
  const { id } = yield* remoteActor(`${name}.example`, "reader")
  yield* sql`
    insert into actor_follow (actor_id, target_actor_id, state, url)
    values (${id}, ${second.channel}, 'accepted', ${`https://${name}.example/follows/1`})`
  return id
})

layer(services, { excludeTestServices: true, timeout: 60_000 })("the outbox", (it) => {
  it.effect("loses and doubles nothing when it is killed before its transaction ends", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { drain } = yield* Outbox
      yield* follower("killed")
      assert.deepStrictEqual(yield* changes, [{ kind: "follow", failures: 0 }])
      const written = sql<{ count: number }>`select count(*)::integer as count from activity`
      const died = yield* Effect.flip(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* drain
            assert.deepStrictEqual(yield* written, [{ count: 1 }])
            return yield* Effect.fail("killed" as const)
          })
        )
      )
      assert.strictEqual(died, "killed")
      assert.deepStrictEqual([yield* written, (yield* changes).length], [[{ count: 0 }], 1])
      yield* drain
      yield* drain
      assert.deepStrictEqual(
        (yield* recorded).map(({ hosts, what }) => [what, hosts]),
        [["Accept Follow", ["killed.example"]]]
      )
      assert.deepStrictEqual(yield* changes, [])
    })
  )

  it.effect("makes each activity once and those of one thing in their order, on however many nodes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { second } = yield* Here
      const nodes = yield* Effect.forEach([1, 2, 3], () =>
        Effect.map(Layer.build(Layer.fresh(outboxLayer)), (built) => Context.get(built, Outbox))
      )
      const followers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => `many${n}`),
        follower
      )
      for (const state of ["rejected", "accepted", "rejected"]) {
        yield* sql`update actor_follow set state = ${state} where target_actor_id = ${second.channel}
          and actor_id = any(${followers}::integer[])`
      }
      assert.strictEqual((yield* changes).length, 80)
      yield* Effect.forEach([...nodes, ...nodes], ({ process }) => process, { concurrency: "unbounded" })
      yield* (yield* Outbox).drain
      const byHost = new Map<string, Array<string>>()
      for (const { hosts, what } of yield* recorded) byHost.set(hosts[0]!, [...(byHost.get(hosts[0]!) ?? []), what])
      assert.strictEqual(byHost.size, 20)
      for (const [host, said] of byHost) {
        assert.deepStrictEqual(said, ["Accept Follow", "Reject Follow", "Accept Follow", "Reject Follow"], host)
      }
    })
  )

  it.effect("puts off what fails and what follows about the same thing, and goes on with the rest", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { drain, process } = yield* Outbox
      const id = yield* follower("stuck")
      yield* sql.unsafe(
        `create function no() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`
      )
      yield* sql.unsafe(`create trigger no before insert on delivery for each row
        when (new.host = 'stuck.example') execute function no()`)
      yield* sql`update actor_follow set state = 'rejected' where actor_id = ${id}`
      yield* follower("quick")
      yield* process
      assert.deepStrictEqual(
        (yield* changes).map(({ kind }) => kind),
        ["follow", "follow"]
      )
      assert.isAbove((yield* changes)[0]!.failures, 0)
      assert.strictEqual((yield* changes)[1]!.failures, 0)
      yield* sql.unsafe("drop trigger no on delivery")
      yield* sql`update outbox_change set due = now()`
      yield* drain
      assert.deepStrictEqual(
        (yield* recorded).map(({ hosts, what }) => [what, hosts[0]]),
        [
          ["Accept Follow", "quick.example"],
          ["Accept Follow", "stuck.example"],
          ["Reject Follow", "stuck.example"]
        ]
      )
    })
  )

  it.effect("takes what many changes of one transaction left after what others do", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { second } = yield* Here
      yield* sql`update actor_follow set state = case state when 'accepted' then 'rejected' else 'accepted' end
        where target_actor_id = ${second.channel} and follower_remote`
      yield* follower("later")
      const hosts = (yield* recorded).map(({ hosts }) => hosts[0])
      assert.isAbove(hosts.length, 21)
      assert.strictEqual(hosts.indexOf("later.example"), 20)
    })
  )

  it.effect("leaves what it does not know to a newer version", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`insert into outbox_change (kind, thing_id) values ('of tomorrow', 1)`
      yield* (yield* Outbox).drain
      assert.deepStrictEqual(
        (yield* changes).map(({ kind }) => kind),
        ["of tomorrow"]
      )
      assert.deepStrictEqual(yield* recorded, [])
    })
  )
})
