import { type Clock, Duration, Effect } from "effect"

/** How late the end of a time may be noticed. */
const latest = Duration.seconds(1)

/** Ends what lets the time pass that it has. */
export class Watchdog {
  #deadline = Number.POSITIVE_INFINITY
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** Gives this much time from now on. */
  allow(time: Duration.Duration): void {
    this.#deadline = this.#clock.currentTimeMillisUnsafe() + Duration.toMillis(time)
  }

  /** Stops the time: the peer waits for us. */
  pause(): void {
    this.#deadline = Number.POSITIVE_INFINITY
  }

  /** Completes when the time is over. */
  readonly expired: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    for (;;) {
      const left = this.#deadline - this.#clock.currentTimeMillisUnsafe()
      if (left <= 0) return
      yield* Effect.sleep(Duration.min(Duration.millis(Math.min(left, 86_400_000)), latest))
    }
  })
}
