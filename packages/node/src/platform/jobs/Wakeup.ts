import { Effect, Queue } from "effect"

/** Wakes whoever waits for work. Several notifications before anybody waits count as one. */
export interface Wakeup {
  /** Wakes one of those who wait, or the next who does. */
  readonly notify: Effect.Effect<void>
  readonly wait: Effect.Effect<void>
}

export const makeWakeup: Effect.Effect<Wakeup> = Effect.map(Queue.sliding<void>(1), (queue) => ({
  notify: Effect.asVoid(Queue.offer(queue, undefined)),
  wait: Queue.take(queue)
}))
