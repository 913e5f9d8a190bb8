import type { VideoDetails } from "../api/Wire.ts"
import type { Access } from "./Access.ts"
import type { Controls } from "./Controls.ts"
import type { Intent } from "./Intent.ts"
import type { Media } from "./Media.ts"
import type { Overlay } from "./Overlay.ts"
import { createEdgeButton } from "./EdgeButton.ts"
import { createLivePanels } from "./LivePanels.ts"
import { liveStateOf, nextSchedule } from "./LiveState.ts"
import { t } from "./LiveText.ts"
import { createPolling } from "./LivePolling.ts"

/** Contract: LiveVideoLatencyMode. */
const smallLatency = 3

/** The event of the player's element that says what is known of a live, with the answer of the API. */
const liveEvent = "livedetails"

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
  /** `over`: the viewer has come to the end of a session. */
  let phase: "waiting" | "on" | "over" = "waiting"
  /** The API says that the session is over: what it says next is about another one, or the replay. */
  let confirmed = false
  let isReplay = false
  let played = false
  /** Whoever watched to the end, or waited on its page, watches when it begins. */
  let goesOn = root.closest(".watch") !== null

  const outlook = (): string | undefined => {
    if (settings?.saveReplay !== true) return undefined
    return settings.permanentLive ? t("replayOnChannel") : t("replayFollows")
  }

  const toReplay = () => location.reload()

  const showOver = () => {
    goesOn ||= video.ended || !video.paused
    phase = "over"
    input.close()
    if (isReplay) return played ? panels.replay(toReplay) : toReplay()
    panels.over(outlook())
    polling.start("waiting")
  }

  const begin = () => {
    overlay.clearPanel()
    root.classList.remove("kp-off")
    if (goesOn) intent.want()
    input.begin()
  }

  const heard = (details: VideoDetails) => {
    announce(details)
    const state = liveStateOf(details)
    isReplay = state === "replay"
    if (isReplay) polling.stop()
    if (state === "on") {
      if (phase === "waiting" || (phase === "over" && confirmed)) begin()
      confirmed = false
      return
    }
    confirmed = true
    if (phase === "over" && !isReplay) return
    // What is in the buffer is played to its end.
    const hasMore = phase === "on" && played && !video.ended && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
    if (phase !== "waiting" && !hasMore) showOver()
    else if (phase === "waiting" && isReplay) toReplay()
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
  video.addEventListener("waiting", () => {
    if (phase === "on" && confirmed) showOver()
  })
  // The end of the playlist comes before the API knows of it.
  video.addEventListener("ended", () => {
    if (phase === "on") showOver()
  })

  return {
    learn: async (details) => {
      announce(details)
      settings ??= await access.live().catch(() => undefined)
      const state = liveStateOf(details)
      phase = state === "on" ? "on" : "waiting"
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
