import { RequestTimeout } from "@kinora/domain/errors/RequestErrors"
import { type Cause, Clock, Duration, Effect, type Pull, type Scope, Stream } from "effect"

/** How slow a client may be. */
export interface TimeLimits {
  /** Longest wait for the next bytes of a body. */
  readonly idle: Duration.Duration
  /** Bytes a body must bring in each `rateWindow`; less is a client that only holds the connection. */
  readonly minBytesPerWindow: number
  readonly rateWindow: Duration.Duration
  /** Longest a single request may take. */
  readonly total: Duration.Duration
}

/** The limits of bodies that bring a whole video. */
export const bodyTimeLimits = {
  idle: Duration.seconds(30),
  minBytesPerWindow: 64 * 1024,
  rateWindow: Duration.minutes(1),
  total: Duration.hours(24)
} as const satisfies TimeLimits

/**
 * The bytes of a request body, one batch a pull. A client that sends nothing for `idle`, less than `minBytesPerWindow`
 * in a window, or takes longer than `total` gets a `RequestTimeout`: slow bodies must not hold connections and disk.
 */
export const timedBody = Effect.fnUntraced(function* <E>(
  body: Stream.Stream<Uint8Array, E>,
  limits: TimeLimits
): Effect.fn.Return<{ readonly next: Pull.Pull<ReadonlyArray<Uint8Array>, E | RequestTimeout> }, never, Scope.Scope> {
  const pull = yield* Stream.toPull(body)
  const began = yield* Clock.currentTimeMillis
  const window = Duration.toMillis(limits.rateWindow)
  const end = began + Duration.toMillis(limits.total)
  let windowEnd = began + window
  let inWindow = 0
  const next = Effect.gen(function* (): Effect.fn.Return<
    ReadonlyArray<Uint8Array>,
    E | RequestTimeout | Cause.Done<void>
  > {
    const chunks = yield* Effect.timeoutOrElse(pull, {
      duration: limits.idle,
      orElse: () => Effect.fail(new RequestTimeout())
    })
    for (const chunk of chunks) inWindow += chunk.length
    const now = yield* Clock.currentTimeMillis
    if (now > end) return yield* new RequestTimeout()
    if (now > windowEnd) {
      if (inWindow < limits.minBytesPerWindow) return yield* new RequestTimeout()
      windowEnd = now + window
      inWindow = 0
    }
    return chunks
  })
  return { next }
})
