const longestPause = 15_000

/** Milliseconds to wait before try `attempt` (from 0): doubling from one second to the longest pause, spread by a tenth. */
export const backoffDelay = (attempt: number, spread: number = Math.random(), longest = longestPause): number =>
  Math.min(longest, 1_000 * 2 ** attempt) * (0.9 + 0.2 * spread)

/** One pending retry. A second `schedule` while one waits is ignored; the browser coming back online fires at once. */
export interface Retry {
  readonly schedule: (action: () => void) => void
  readonly reset: () => void
  readonly stop: () => void
}

export const createRetry = (longest = longestPause): Retry => {
  let attempt = 0
  let timer: number | undefined
  let pending: (() => void) | undefined

  const fire = () => {
    const action = pending
    clearTimeout(timer)
    timer = undefined
    pending = undefined
    action?.()
  }
  addEventListener("online", fire)

  return {
    schedule: (action) => {
      if (pending !== undefined) return
      pending = action
      timer = window.setTimeout(fire, backoffDelay(attempt, Math.random(), longest))
      attempt += 1
    },
    reset: () => {
      attempt = 0
    },
    stop: () => {
      clearTimeout(timer)
      pending = undefined
      removeEventListener("online", fire)
    }
  }
}
