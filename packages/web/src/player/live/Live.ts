import type { VideoDetails } from "../../api/Wire.ts"
import type { Access } from "../Access.ts"
import type { Controls } from "../Controls.ts"
import type { Intent } from "../Intent.ts"
import type { Media } from "../Media.ts"
import type { Overlay } from "../Overlay.ts"
import { createEdgeButton } from "./EdgeButton.ts"
import { createLivePanels } from "./LivePanels.ts"
import { liveStateOf, nextSchedule } from "./LiveState.ts"
import { t } from "./LiveText.ts"
import { createPolling } from "./Polling.ts"

/** Contract: LiveVideoLatencyMode. */
const smallLatency = 3

/** The event of the player's element that says what is known of a live, with the answer of the API. */
export const liveEvent = "livedetails"

export interface LiveInput {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly overlay: Overlay
  readonly controls: Controls
  readonly access: Access
  readonly intent: Intent
  /** Seconds behind the edge; 0 at it. */
  readonly behind: () => number
  readonly toEdge: () => void
  /** Asks for the video and plays it. */
  readonly begin: () => void
  /** Closes what plays. */
  readonly close: () => void
}

/** A live from before its beginning to its replay. */
export interface Live {
  /** Shows what there is to show; true when nothing can be played now. */
  readonly learn: (details: VideoDetails) => Promise<boolean>
  /** The ways to play, with what the live is set to. */
  readonly ways: (ways: ReadonlyArray<Media>) => ReadonlyArray<Media>
}

export const createLive = (input: LiveInput): Live => {
  const { access, controls, intent, overlay, root, video } = input
  const panels = createLivePanels(root, overlay)
  let settings: Awaited<ReturnType<Access["live"]>> | undefined
  let edge: HTMLButtonElement | undefined
  /** Something of it has been played here. */
  let played = false
  /** The session that was played is over: what the API says next is another one, or the replay. */
  let over = false

  const outlook = (): string | undefined => {
    if (settings?.saveReplay !== true) return undefined
    return settings.permanentLive ? t("replayOnChannel") : t("replayFollows")
  }

  const showOver = () => {
    input.close()
    panels.over(outlook())
    polling.start("waiting")
  }

  /** What is in the buffer is played to its end. */
  const endSoon = () => {
    const isEmpty = video.ended || video.paused || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
    if (isEmpty) showOver()
    else for (const name of ["ended", "waiting", "pause"]) video.addEventListener(name, showOver, { once: true })
  }

  const begin = () => {
    over = false
    overlay.clearPanel()
    root.classList.remove("kp-off")
    // Whoever waited on its page wants to see it.
    if (root.closest(".watch") !== null) intent.want()
    input.begin()
  }

  const heard = (details: VideoDetails) => {
    announce(details)
    const state = liveStateOf(details)
    if (state === "replay") {
      polling.stop()
      if (!played) return location.reload()
      return panels.replay(() => location.reload())
    }
    if (played && !over && state !== "on") {
      over = true
      return endSoon()
    }
    if (state === "on" && (over || !played)) begin()
  }

  const polling = createPolling(access.video, heard)

  const announce = (details: VideoDetails) => root.dispatchEvent(new CustomEvent(liveEvent, { detail: details }))

  const dress = () => {
    root.dataset["live"] = ""
    edge ??= createEdgeButton(input)
    if (!edge.isConnected) controls.addAtClock(edge)
  }

  video.addEventListener("playing", () => {
    if (root.dataset["live"] !== undefined) played = true
  })
  // The end of the playlist comes before the API knows of it.
  video.addEventListener("ended", () => {
    if (!over && played) showOver()
  })

  return {
    learn: async (details) => {
      announce(details)
      settings ??= await access.live().catch(() => undefined)
      const state = liveStateOf(details)
      if (state === "on") {
        dress()
        polling.start("watching")
        return false
      }
      if (state === "ended") panels.over(outlook())
      else panels.soon(nextSchedule(details.liveSchedules ?? settings?.schedules, Date.now()))
      // One that has ended for good, without a replay, has nothing to come.
      if (state === "waiting" || settings?.saveReplay !== false) polling.start("waiting")
      return true
    },
    ways: (ways) =>
      settings?.latencyMode !== smallLatency
        ? ways
        : ways.map((way) => (way.kind === "hls" ? { ...way, live: "small" as const } : way))
  }
}
