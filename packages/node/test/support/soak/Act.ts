import type { Tally } from "./Tally.ts"

/** Something that somebody does again and again. */
export interface Act {
  readonly kind: string
  readonly perMinute: number
  /** Of these at a time, 4 unless told otherwise: more are left out until one has ended. */
  readonly atOnce?: number
  /** Fails when an answer is wrong. */
  readonly run: () => Promise<void>
}

/** Runs acts at a steady pace, each for itself, for so many seconds; resolves when the last has ended. `pace` multiplies how often. */
export const runActs = async (acts: ReadonlyArray<Act>, tally: Tally, seconds: number, pace = 1): Promise<void> => {
  const from = performance.now()
  const end = from + seconds * 1000
  await Promise.all(
    acts.map(async ({ atOnce = 4, kind, perMinute, run }, nth) => {
      const every = 60_000 / (perMinute * pace)
      const running = new Set<Promise<void>>()
      // Not all at the same moment.
      let due = from + every * ((nth * 0.618) % 1)
      while (due < end) {
        await new Promise((next) => setTimeout(next, Math.max(0, due - performance.now())))
        if (running.size >= atOnce) await Promise.race(running)
        const one: Promise<void> = tally.of(kind, run).finally(() => running.delete(one))
        running.add(one)
        due = Math.max(due + every, performance.now() - every)
      }
      await Promise.all(running)
    })
  )
}
