import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type AttemptResult, WebhookDeliveries } from "../../../src/instance/webhook/WebhookDeliveries.ts"
import { WebhookEvents } from "../../../src/instance/webhook/WebhookEvents.ts"
import { WebhookRows } from "../../../src/instance/webhook/WebhookRows.ts"
import { randomUUID } from "node:crypto"
import { TestDatabase } from "../../support/TestDatabase.ts"

const world = Layer.mergeAll(WebhookDeliveries.layer, WebhookEvents.layer, WebhookRows.layer).pipe(
  Layer.provideMerge(TestDatabase)
)

const result = (more: Partial<AttemptResult> = {}): AttemptResult => ({
  attemptedAt: 0,
  duration: 5,
  status: 204,
  answer: "",
  error: null,
  outcome: { _tag: "Delivered" },
  webhook: { _tag: "Answers" },
  ...more
})

const added = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ id: number }>`
    insert into webhook (url, events, sealed_secret) values ('https://receiver.example/', '{user.created}', 'x') returning id`
)

/** Marks events as triggers do. */
const mark = (subjects: ReadonlyArray<number>) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`select mark_webhook_event('user.created', 'app_user', n) from unnest(${subjects}::int[]) n`
  )

const states = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ body: string; state: number; attempts: number }>`
    select body, state, attempts from webhook_delivery order by id`
  return rows.map(({ attempts, body, state }) => [body, state, attempts])
})

layer(world)("what is sent to webhooks", (it) => {
  it.effect("is held by one node at a time, and taken over from one that died", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const events = yield* WebhookEvents
      const deliveries = yield* WebhookDeliveries
      yield* mark([0])
      assert.deepStrictEqual(yield* sql`select 1 from webhook_event`, [], "nobody wants it")
      yield* added
      yield* mark([1, 2, 3])
      const write = (event: { readonly subject: number }) =>
        Effect.succeed(event.subject === 2 ? Option.none() : Option.some(`{"n":${event.subject}}`))
      while (yield* events.next(write));
      assert.deepStrictEqual(yield* states, [
        [`{"n":1}`, 1, 0],
        [`{"n":3}`, 1, 0]
      ])

      const holds = yield* Effect.all(
        Array.from({ length: 4 }, () => deliveries.hold),
        { concurrency: 4 }
      )
      const [first, ...more] = holds.filter(Option.isSome)
      assert.strictEqual(more.length, 0)
      const held = first!.value
      const due = Option.getOrThrow(yield* deliveries.next(held))
      assert.strictEqual(due.body, `{"n":1}`)

      // As if the node had died, and a minute had passed.
      yield* sql`update webhook set lease_until = now() - interval '1 second'`
      const taken = Option.getOrThrow(yield* deliveries.hold)
      assert.notStrictEqual(taken.leaseToken, held.leaseToken)
      const again = Option.getOrThrow(yield* deliveries.next(taken))
      assert.strictEqual(again.id, due.id)
      // What the first one says now changes nothing.
      yield* deliveries.settle(held, due, result())
      assert.isTrue(Option.isNone(yield* deliveries.next(held)))
      yield* deliveries.release(held)
      assert.deepStrictEqual((yield* states)[0], [`{"n":1}`, 1, 0])

      yield* deliveries.settle(taken, again, result({ outcome: { _tag: "Later", waitMillis: 60_000 }, status: 500 }))
      const other = Option.getOrThrow(yield* deliveries.next(taken))
      assert.strictEqual(other.body, `{"n":3}`)
      yield* deliveries.settle(taken, other, result())
      assert.isTrue(Option.isNone(yield* deliveries.next(taken)))
      assert.deepStrictEqual(yield* states, [
        [`{"n":1}`, 1, 1],
        [`{"n":3}`, 2, 1]
      ])
      yield* deliveries.release(taken)
      assert.isTrue(Option.isNone(yield* deliveries.hold), "nothing is due")
    })
  )

  it.effect("is removed after some days, unless it waits", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const deliveries = yield* WebhookDeliveries
      yield* sql`update webhook_delivery set created_at = now() - interval '31 days'`
      assert.strictEqual(yield* deliveries.removeOld(30, 10), 1)
      assert.deepStrictEqual(yield* states, [[`{"n":1}`, 1, 1]])
    })
  )

  it.effect("does not lose an event that cannot be written at the moment", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const events = yield* WebhookEvents
      yield* mark([7])
      assert.isTrue(yield* events.next(() => Effect.die("a defect")))
      assert.isFalse(yield* events.next(() => Effect.die("not asked")))
      assert.deepStrictEqual(yield* sql`select failures from webhook_event`, [{ failures: 1 }])
      yield* sql`update webhook_event set not_before = now()`
      assert.isTrue(yield* events.next(() => Effect.succeed(Option.some("{}"))))
      assert.deepStrictEqual((yield* states).at(-1), ["{}", 1, 0])
    })
  )

  it.effect("goes to a new address, and is signed with a new secret, from the next message on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const deliveries = yield* WebhookDeliveries
      const rows = yield* WebhookRows
      yield* sql`delete from webhook`
      const [webhook] = yield* added
      const id = webhook!.id
      for (const messageId of [randomUUID(), randomUUID()]) {
        yield* deliveries.add({ webhookId: id, messageId, type: "ping", body: "{}" })
      }
      const settings = Option.getOrThrow(Option.fromUndefinedOr(yield* rows.lock(id)))
      const first = Option.getOrThrow(yield* deliveries.hold)
      yield* rows.update(id, { ...settings, description: "the same address" })
      assert.isTrue(Option.isSome(yield* deliveries.next(first)))
      yield* rows.update(id, { ...settings, url: "https://other.example/" })
      assert.isTrue(Option.isNone(yield* deliveries.next(first)))
      const second = Option.getOrThrow(yield* deliveries.hold)
      assert.strictEqual(second.url, "https://other.example/")
      yield* rows.setSecret(id, "y")
      assert.isTrue(Option.isNone(yield* deliveries.next(second)))
      const third = Option.getOrThrow(yield* deliveries.hold)
      assert.deepInclude(third, { sealedSecret: "y", formerSealedSecret: "x" })
    })
  )
})
