import { Clock, Effect, type Scope, Semaphore } from "effect"
import { Busy } from "./FetchError.ts"
import type { FetchOptions } from "./FetchOptions.ts"

/** Leave to ask a host once. It ends with the scope it was taken in. */
export interface Ticket {
  /** The host answered: its failures are forgotten. */
  readonly answered: Effect.Effect<void>
  /** The host failed as a host. */
  readonly failed: Effect.Effect<void>
  /** The host asked to be left alone for so many milliseconds. */
  readonly heldBack: (millis: number) => Effect.Effect<void>
}

export interface HostBudget {
  /** Waits for a place at a host (`name:port`), or is refused at once when there is none to be had in time. */
  readonly enter: (host: string) => Effect.Effect<Ticket, Busy, Scope.Scope>
  /** Hosts that are remembered now. */
  readonly size: Effect.Effect<number>
}

interface Host {
  readonly places: Semaphore.Semaphore
  inside: number
  waiting: number
  tokens: number
  refilledAt: number
  failures: number
  /** Nobody is let in before this time. */
  closedUntil: number
}

/**
 * Spares hosts, and this process: so many requests at a time to one host and in all, so many a second, and none for a
 * while to a host that fails again and again. After its rest a host is tried by one request at a time until it answers.
 */
export const makeHostBudget = (options: Pick<FetchOptions, "concurrency" | "host">): HostBudget => {
  const limits = options.host
  const everywhere = Semaphore.makeUnsafe(options.concurrency)
  // The order of a Map is that of insertion; a host that is used moves to the end.
  const hosts = new Map<string, Host>()

  const forget = () => {
    for (const [name, host] of hosts) {
      if (hosts.size < limits.remembered) return
      if (host.inside + host.waiting === 0) hosts.delete(name)
    }
  }

  const remember = (name: string, now: number): Host => {
    const known = hosts.get(name)
    if (known === undefined) forget()
    else hosts.delete(name)
    const host = known ?? {
      places: Semaphore.makeUnsafe(limits.concurrency),
      inside: 0,
      waiting: 0,
      tokens: limits.burst,
      refilledAt: now,
      failures: 0,
      closedUntil: 0
    }
    hosts.set(name, host)
    return host
  }

  const isOpen = Effect.fnUntraced(function* (host: Host) {
    const now = yield* Clock.currentTimeMillis
    if (host.closedUntil > now) {
      return yield* new Busy({ why: "circuit", retryAfterMillis: host.closedUntil - now })
    }
    if (host.failures >= limits.failures && host.inside > 0) {
      return yield* new Busy({ why: "circuit", retryAfterMillis: 1_000 })
    }
  })

  /** Takes one token, of the future if need be, and gives the milliseconds until then. */
  const takeToken = (host: Host, now: number): number => {
    host.tokens = Math.min(limits.burst, host.tokens + ((now - host.refilledAt) / 1_000) * limits.rate)
    host.refilledAt = now
    host.tokens -= 1
    return host.tokens >= 0 ? 0 : (-host.tokens / limits.rate) * 1_000
  }

  const place = (host: Host) =>
    Effect.acquireRelease(
      Effect.sync(() => host.waiting++),
      () => Effect.sync(() => host.waiting--)
    ).pipe(
      Effect.andThen(host.places.take(1)),
      Effect.scoped,
      Effect.tap(() => Effect.sync(() => host.inside++))
    )

  const leave = (host: Host) => Effect.sync(() => host.inside--).pipe(Effect.andThen(host.places.release(1)))

  const enter = Effect.fnUntraced(function* (name: string) {
    const host = remember(name, yield* Clock.currentTimeMillis)
    yield* isOpen(host)
    if (host.waiting >= limits.queue) {
      return yield* new Busy({ why: "queue", retryAfterMillis: limits.maxWaitMillis })
    }
    const late = () => new Busy({ why: "queue", retryAfterMillis: limits.maxWaitMillis })
    yield* Effect.acquireRelease(place(host), () => leave(host), { interruptible: true }).pipe(
      Effect.timeoutOrElse({ duration: limits.maxWaitMillis, orElse: late })
    )
    // What was learnt of the host while this one waited.
    if (host.closedUntil > (yield* Clock.currentTimeMillis)) yield* isOpen(host)
    const delay = takeToken(host, yield* Clock.currentTimeMillis)
    if (delay > limits.maxWaitMillis) {
      host.tokens += 1
      return yield* new Busy({ why: "rate", retryAfterMillis: delay })
    }
    if (delay > 0) yield* Effect.sleep(delay)
    yield* everywhere.takeScoped(1).pipe(Effect.timeoutOrElse({ duration: limits.maxWaitMillis, orElse: late }))
    return ticket(host)
  })

  const ticket = (host: Host): Ticket => ({
    answered: Effect.sync(() => {
      host.failures = 0
    }),
    failed: Effect.map(Clock.currentTimeMillis, (now) => {
      host.failures += 1
      const over = host.failures - limits.failures
      if (over >= 0) host.closedUntil = now + Math.min(limits.restMillis * 2 ** over, limits.maxRestMillis)
    }),
    heldBack: (millis) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        host.closedUntil = Math.max(host.closedUntil, now + Math.min(millis, limits.maxRestMillis))
      })
  })

  return { enter, size: Effect.sync(() => hosts.size) }
}
