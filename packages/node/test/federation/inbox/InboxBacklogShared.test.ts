import { assert, it } from "@effect/vitest"
import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { Effect, Layer } from "effect"
import { InboxBacklog, InboxBounds, usualBounds } from "../../../src/federation/inbox/InboxBacklog.ts"
import { Peers } from "../../../src/platform/cluster/Peers.ts"
import { Placement } from "../../../src/platform/cluster/Placement.ts"

const upkeep = Layer.mock(InboxUpkeep)({ isFamiliar: () => Effect.succeed(true) })

/** Two nodes that bring each other what they send. */
const twoNodes = Effect.gen(function* () {
  const handlers = new Map<number, (input: unknown) => Effect.Effect<unknown>>()
  const node = (nth: 0 | 1) =>
    Effect.gen(function* () {
      const alone = yield* Placement
      const peers: Peers = {
        others: Effect.succeed([]),
        answer: (_name, handler) => Effect.sync(() => void handlers.set(nth, handler)),
        call: () => Effect.die("nobody is called"),
        broadcast: (_name, input) =>
          Effect.asVoid(handlers.get(1 - nth)?.(JSON.parse(JSON.stringify(input))) ?? Effect.void)
      }
      return yield* Effect.provide(
        InboxBacklog,
        InboxBacklog.layer.pipe(
          Layer.provide(upkeep),
          Layer.provide(Layer.succeed(Peers, peers)),
          Layer.provide(Layer.succeed(Placement, { ...alone, several: true })),
          Layer.provide(Layer.succeed(InboxBounds, { ...usualBounds, hostCount: 10 }))
        ),
        { local: true }
      )
    })
  return [yield* node(0), yield* node(1)] as const
})

it.effect("what one node takes counts for the bounds at another", () =>
  Effect.gen(function* () {
    const [one, two] = yield* twoNodes
    for (let nth = 0; nth < 5; nth++) {
      one.add("a.example", 100)
      two.add("a.example", 100)
    }
    assert.isFalse(yield* one.isFull("a.example"))
    yield* one.broadcast
    yield* two.broadcast
    assert.isTrue(yield* one.isFull("a.example"))
    assert.isTrue(yield* two.isFull("a.example"))
    // Applied by the one that works for the host.
    two.remove("a.example", 4, 400)
    yield* two.broadcast
    assert.isFalse(yield* one.isFull("a.example"))
    assert.isFalse(yield* one.isFull("b.example"))
  }).pipe(Effect.scoped)
)
