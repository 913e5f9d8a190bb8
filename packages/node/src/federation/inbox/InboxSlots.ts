import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Clock, Duration, Effect, Semaphore } from "effect"
import { Later } from "./verbs/Verb.ts"

/** Hosts that are worked for at once: those somebody here follows, all others, and of these those that take long. */
const slots = { followed: 32, others: 32, slow: 24 } as const
/** Milliseconds after which asking for an activity takes long, and for how long its host is slow then. */
const long = 1_500
const slowFor = Duration.toMillis(Duration.minutes(10))
/** How long a host is taken for what it was found to be. */
const knownFor = Duration.toMillis(Duration.minutes(1))
const maxRemembered = 10_000

type Kind = keyof typeof slots

const remember = <A>(map: Map<string, A>, host: string, value: A) => {
  map.delete(host)
  if (map.size >= maxRemembered) map.delete(map.keys().next().value!)
  map.set(host, value)
}

/**
 * Slots in which hosts are worked for. Most of the time that is waiting for what their activities name, and whoever owns names
 * without number could have us wait in all of them. So hosts that are followed here wait for each other alone, and who makes us
 * wait goes aside, where they wait for their like; when there is no room either, the activity is put off.
 */
export const inboxSlots = (isFollowed: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>) => {
  const semaphores = {
    followed: Semaphore.makeUnsafe(slots.followed),
    others: Semaphore.makeUnsafe(slots.others),
    slow: Semaphore.makeUnsafe(slots.slow)
  }
  const followed = new Map<string, { readonly is: boolean; readonly until: number }>()
  const slow = new Map<string, number>()
  /** Hosts that are worked for, each once, and where. */
  const held = new Map<string, Kind>()

  const kindOf = Effect.fnUntraced(function* (host: string): Effect.fn.Return<Kind, DatabaseUnavailable> {
    const now = yield* Clock.currentTimeMillis
    let known = followed.get(host)
    if (known === undefined || known.until < now) {
      known = { is: yield* isFollowed(host), until: now + knownFor }
      remember(followed, host, known)
    }
    if (known.is) return "followed"
    return (slow.get(host) ?? 0) > now ? "slow" : "others"
  })

  const leave = (host: string) =>
    Effect.suspend(() => {
      const kind = held.get(host)
      held.delete(host)
      return kind === undefined ? Effect.void : semaphores[kind].release(1)
    })

  /** What goes on, goes on elsewhere; false: there is no room for it. */
  const goAside = Effect.fnUntraced(function* (host: string) {
    remember(slow, host, (yield* Clock.currentTimeMillis) + slowFor)
    if (held.get(host) !== "others") return true
    if (!(yield* semaphores.slow.takeIfAvailable(1))) return false
    held.set(host, "slow")
    yield* semaphores.others.release(1)
    return true
  }, Effect.uninterruptible)

  const untilThereIsNoRoom = (host: string) =>
    Effect.flatMap(Effect.delay(goAside(host), long), (room) =>
      room ? Effect.never : Effect.fail(new Later({ why: "it took too long, as others did", retryAfterMillis: 0 }))
    )

  return {
    /** Works for a host, once at a time, in a slot of its kind. */
    within: <A, E>(host: string, work: Effect.Effect<A, E>): Effect.Effect<A, E | DatabaseUnavailable> =>
      Effect.flatMap(kindOf(host), (kind) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(restore(semaphores[kind].take(1)), () => {
            held.set(host, kind)
            return Effect.ensuring(restore(work), leave(host))
          })
        )
      ),
    /** Asks others for an activity of a host, within its slot. */
    asking: <A, E>(host: string, ask: Effect.Effect<A, E>): Effect.Effect<A, E | Later> =>
      Effect.raceFirst(ask, untilThereIsNoRoom(host))
  }
}
