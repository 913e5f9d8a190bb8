import type Hls from "hls.js"
import type { ErrorData, Events } from "hls.js"
import { createRetry } from "./Backoff.ts"
import { createRestartCheck, withoutDirectives } from "./LiveRestart.ts"
import type { LivePoint, SourceListener } from "./Source.ts"

/** Segments behind the newest, where the playlist does not say how far to keep from its end. */
const segmentsBehind = { small: 2, usual: 3 }

/** How hls.js plays lives: a window that moves, and parts of segments where the playlist offers them. */
export const liveSettings = (small: boolean) => ({
  lowLatencyMode: true,
  // Where the delay is to be small, a late viewer catches up unnoticed.
  maxLiveSyncPlaybackRate: small ? 1.08 : 1,
  liveDurationInfinity: true,
  // What was sent two hours ago may be asked for once more, where the live keeps it.
  backBufferLength: 30
})

/** Pauses between two looks for a playlist that is gone are at most this long, in milliseconds. */
const longestPause = 4_000
/** A picture that stands for so many seconds is looked after. */
const standing = { interrupted: 3, stuck: 8 }

/** A live as the source of its player sees it. */
export interface LiveFollower {
  /** Takes what hls.js gave up on, if waiting can help. */
  readonly failed: (error: ErrorData) => boolean
  /** Media arrived. */
  readonly healthy: () => void
  readonly point: () => LivePoint | undefined
  readonly close: () => void
}

/**
 * Keeps to a live through interruptions: a publisher who comes back, a node that restarts, a connection that fails. The
 * picture is held meanwhile. A playlist that begins anew is opened anew.
 */
export const followLive = (
  hls: Hls,
  video: HTMLVideoElement,
  url: string,
  small: boolean,
  listener: SourceListener
): LiveFollower => {
  // Among the settings that it is made with, this would count more than what the playlist asks for.
  hls.config.liveSyncDurationCount = small ? segmentsBehind.small : segmentsBehind.usual
  const retry = createRetry(longestPause)
  const closing = new AbortController()
  let inTrouble = false
  let stood = 0

  const trouble = () => {
    inTrouble = true
    listener.trouble()
  }
  const recover = () => {
    if (!inTrouble) return
    inTrouble = false
    listener.recovered()
  }

  const look = async (): Promise<void> => {
    const known = hls.latestLevelDetails
    const again = () => retry.schedule(() => void look())
    try {
      const answer = await fetch(known === null ? url : withoutDirectives(known.url), {
        cache: "no-store",
        signal: closing.signal
      })
      if (!answer.ok) return again()
    } catch {
      if (!closing.signal.aborted) again()
      return
    }
    if (closing.signal.aborted) return
    if (known === null) hls.loadSource(url)
    else hls.startLoad(-1)
  }

  // A node that restarted counts from the beginning: what it sends now is not what has the same numbers here.
  const isNew = createRestartCheck()
  hls.on("hlsLevelLoaded" as Events.LEVEL_LOADED, (_event, { details }) => {
    if (!isNew(details)) return
    recover()
    listener.reopen()
  })

  // A picture that stands makes no event.
  const watch = setInterval(() => {
    const stands = !video.paused && !video.ended && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
    stood = stands ? stood + 1 : 0
    const details = hls.latestLevelDetails
    if (details === null || !details.live || stood < standing.interrupted) return
    const ahead = details.edge - video.currentTime
    if (ahead < details.targetduration) return trouble()
    // There is something to play, and it does not: a gap in the media, or a position that is gone.
    if (stood % standing.stuck === 0 && hls.liveSyncPosition !== null) video.currentTime = hls.liveSyncPosition
  }, 1_000)
  video.addEventListener("playing", recover, { signal: closing.signal })

  return {
    failed: ({ details, response, type }) => {
      const stalled = details === "bufferStalledError" || details === "bufferNudgeOnStall"
      if (type !== "networkError" && !stalled) return false
      // A token that has expired is asked for anew.
      if (response?.code === 401 || response?.code === 403) return false
      trouble()
      retry.schedule(() => void look())
      return true
    },
    healthy: () => {
      retry.reset()
      if (video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA || video.paused) recover()
    },
    point: () => {
      const details = hls.latestLevelDetails
      if (details === null) return undefined
      const latest = details.edge
      const clock = hls.playingDate
      return {
        from: details.fragmentStart,
        edge: details.live ? (hls.liveSyncPosition ?? latest) : latest,
        tolerance: details.targetduration,
        latency: clock === null || !details.live ? undefined : (Date.now() - clock.getTime()) / 1_000
      }
    },
    close: () => {
      clearInterval(watch)
      retry.stop()
      closing.abort()
    }
  }
}
