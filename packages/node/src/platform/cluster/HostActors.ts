import { Cause, Duration, Effect, FiberMap, type Scope, Semaphore } from "effect"
import { Entity, Sharding } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { withLeanContext } from "../context/LeanContext.ts"
import { Placement } from "./Placement.ts"

const Wake = Rpc.make("Wake")

/** One actor a host. */
export interface HostActors {
  /**
   * Makes the host's actor look at its table: now, or again when it is at it. Returns at once. A wake that cannot be
   * brought is dropped: whoever owns the table sweeps it from time to time.
   */
  readonly wake: (host: string) => Effect.Effect<void>
  /** The same, unless another node works for the host: for what every node hears of or finds in the table. */
  readonly wakeOurs: (host: string) => Effect.Effect<void>
}

/** A wake that cannot be brought to another node in this time is dropped. */
const bringWithin = Duration.seconds(5)
/** Hosts whose wakes are on their way to other nodes. */
const mostOnTheirWay = 1_000

export interface HostActorOptions {
  /** Hosts that are worked for at once; more wait for their turn. Default 16. */
  readonly concurrency?: number | undefined
  /** An actor that was not woken for this long is forgotten. Default 1 minute. */
  readonly idle?: Duration.Input | undefined
}

/**
 * Actors that are each the only one, among all nodes, to work for their host: cluster entities that know no message but
 * "wake". `run` reads what is due for the host from its table, does it and returns; it never runs twice at once for a host.
 * One that has much to do returns after a while and wakes its own host, so that others get their turn. It may be
 * interrupted at any moment, by a stop or when another node takes the host over. A defect of `run` is logged and ends
 * that run alone.
 *
 * `name` is that of the entities, the same on all nodes, once a process. They end with the scope.
 */
export const hostActors = Effect.fnUntraced(function* (
  name: string,
  run: (host: string) => Effect.Effect<void>,
  options: HostActorOptions = {}
): Effect.fn.Return<HostActors, never, Sharding.Sharding | Scope.Scope> {
  const entity = Entity.make(name, [Wake])
  const turns = yield* Semaphore.make(options.concurrency ?? 16)

  const turn = (host: string) =>
    turns
      .withPermit(run(host))
      .pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.logError(`${name} of ${host}`, cause)
        )
      )

  /** Hosts this node works for at the moment, and whether they are to be looked at once more. */
  const running = new Map<string, { again: boolean }>()

  const work = Effect.fnUntraced(function* (host: string, state: { again: boolean }) {
    do {
      state.again = false
      yield* turn(host)
    } while (state.again)
    running.delete(host)
  })

  const again = (host: string): boolean => {
    const state = running.get(host)
    if (state === undefined) return false
    state.again = true
    return true
  }

  const behaviour = Effect.gen(function* () {
    const { entityId: host } = yield* Entity.CurrentAddress
    return entity.of({
      Wake: () =>
        Effect.suspend(() => {
          if (again(host)) return Effect.void
          const state = { again: false }
          running.set(host, state)
          return Effect.onInterrupt(work(host, state), () => Effect.sync(() => void running.delete(host)))
        })
    })
  })

  const sharding = yield* Sharding.Sharding
  // Each actor keeps copies of the context it is registered with.
  const lean = yield* withLeanContext(Effect.context<Scope.Scope>())
  yield* Effect.setContext(
    sharding.registerEntity(entity, behaviour, {
      maxIdleTime: options.idle ?? Duration.minutes(1),
      concurrency: "unbounded",
      disableFatalDefects: true
    }),
    lean
  )
  const client = yield* entity.client
  const placement = yield* Placement
  const onTheirWay = yield* FiberMap.make<string>()
  const lateAgain = new Set<string>()

  const send = (host: string) =>
    Effect.ignoreCause(client(host).Wake(undefined, { discard: true })).pipe(Effect.setContext(lean))

  /** Nobody waits for a node that may be lost. What came while a wake was on its way is brought after it. */
  const sendAway = (host: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (FiberMap.hasUnsafe(onTheirWay, host)) {
        lateAgain.add(host)
        return Effect.void
      }
      const bring = Effect.gen(function* () {
        do {
          lateAgain.delete(host)
          yield* Effect.timeoutOption(send(host), bringWithin)
        } while (lateAgain.has(host))
      })
      return Effect.flatMap(FiberMap.size(onTheirWay), (size) =>
        size < mostOnTheirWay ? Effect.asVoid(FiberMap.run(onTheirWay, host, bring)) : Effect.void
      )
    })

  const wake = (host: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (again(host)) return Effect.void
      return placement.isElsewhere(host) ? sendAway(host) : send(host)
    })

  return {
    wake,
    wakeOurs: (host) => Effect.suspend(() => (placement.isElsewhere(host) ? Effect.void : wake(host)))
  }
})
