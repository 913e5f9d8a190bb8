import type { VideoDetails } from "../api/Wire.ts"

/** Between two looks, in milliseconds: whoever waits sees the beginning within ten seconds, and viewers do not come at once. */
const pauses = { waiting: [5_000, 10_000], watching: [20_000, 30_000] } as const

export interface Polling {
  readonly start: (pace: keyof typeof pauses) => void
  readonly stop: () => void
}

/** Asks for the video again and again while the page is looked at. */
export const createPolling = (ask: () => Promise<VideoDetails>, heard: (details: VideoDetails) => void): Polling => {
  let timer: number | undefined
  let pace: keyof typeof pauses | undefined
  let asking = false

  const schedule = () => {
    clearTimeout(timer)
    if (pace === undefined) return
    const [least, most] = pauses[pace]
    timer = window.setTimeout(() => void look(), least + Math.random() * (most - least))
  }

  const look = async (): Promise<void> => {
    // The page asks as soon as it is looked at again.
    if (document.hidden || asking) return
    asking = true
    try {
      const details = await ask()
      if (pace !== undefined) heard(details)
    } catch {
      // An outage is no news: the next look gives it.
    } finally {
      asking = false
      schedule()
    }
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && pace !== undefined) void look()
  })

  return {
    start: (wanted) => {
      if (wanted === pace) return
      pace = wanted
      schedule()
    },
    stop: () => {
      pace = undefined
      clearTimeout(timer)
    }
  }
}
