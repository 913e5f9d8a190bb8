import { call } from "../api/Call.ts"
import { isLoggedIn } from "../api/StoredSession.ts"

/** Between two reports of who watches on, in milliseconds. */
const pause = 5_000
/** Dragging the seek bar seeks many times: the position is reported after so many milliseconds without a seek. */
const rest = 1_000
/** Positions this close to either end are not worth coming back to, in seconds. */
const edge = 10

const place = "kinora.viewer"

const madeUp = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Distinguishes this tab from others behind the same address; it ends with the tab. */
const session = (): string => {
  const mine = madeUp()
  try {
    const kept = window.sessionStorage.getItem(place)
    if (kept !== null) return kept
    window.sessionStorage.setItem(place, mine)
  } catch {
    // Where nothing may be kept, each page is a viewer of its own.
  }
  return mine
}

/** Where the user who is logged in stopped watching, on whatever device, in seconds. */
export const watchedBefore = async (id: string): Promise<number | undefined> => {
  if (!isLoggedIn()) return undefined
  const answer = await call("GET /api/v1/videos/:id", { params: { id } })
  const seconds = answer.body?.userHistory?.currentTime
  if (!answer.ok || seconds === undefined) return undefined
  const { duration } = answer.body
  return seconds > edge && seconds < duration - edge ? seconds : undefined
}

/** What reports are made from; a `<video>` is one. */
export interface Watched extends Pick<EventTarget, "addEventListener"> {
  readonly currentTime: number
  readonly paused: boolean
  readonly seeking: boolean
}

export type SendReport = (
  report: { readonly currentTime: number; readonly viewEvent?: "seek" },
  leaving: boolean
) => void

/** Reports to the instance that somebody watches a video: it counts views and remembers where users stopped. */
export const reportToInstance = (id: string): SendReport => {
  const sessionId = session()
  return (report, leaving) =>
    void call("POST /api/v1/videos/:id/views", {
      params: { id },
      body: { ...report, sessionId },
      keepalive: leaving
    })
}

/** Reports where playing begins, goes on, jumps to and stops. Answers what to call when the page goes away. */
export const reportWatching = (video: Watched, send: SendReport): (() => void) => {
  let started = false
  let sought = false
  let reported: number | undefined
  let ticking: ReturnType<typeof setInterval> | undefined
  let resting: ReturnType<typeof setTimeout> | undefined

  const report = (leaving = false) => {
    const currentTime = Math.floor(video.currentTime)
    if (!started || video.seeking || (currentTime === reported && !sought)) return
    clearTimeout(resting)
    send(sought ? { currentTime, viewEvent: "seek" } : { currentTime }, leaving)
    sought = false
    reported = currentTime
  }

  video.addEventListener("playing", () => {
    started = true
    clearInterval(ticking)
    ticking = setInterval(() => report(), pause)
    if (reported === undefined) report()
  })
  video.addEventListener("pause", () => {
    clearInterval(ticking)
    report()
  })
  video.addEventListener("seeked", () => {
    if (!started) return
    sought = true
    clearTimeout(resting)
    resting = setTimeout(() => report(), rest)
  })
  return () => report(true)
}
