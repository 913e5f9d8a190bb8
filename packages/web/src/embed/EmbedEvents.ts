import type { Player } from "../player/PlayerInterface.ts"
import type { Channel } from "./Channel.ts"
import { resolutionsOf } from "./Resolutions.ts"

/** Between two reports of the position, in milliseconds. */
const interval = 500

/** Sends what happens in the player to the page outside. */
export const reportEvents = (player: Player, channel: Channel): void => {
  const { video } = player
  let state: "unstarted" | "playing" | "paused" | "ended" = "unstarted"
  let resolutions = ""

  const report = () =>
    channel.notify("playbackStatusUpdate", {
      position: video.currentTime,
      volume: video.muted ? 0 : video.volume,
      duration: player.duration(),
      playbackState: state
    })

  const change = (to: typeof state) => {
    if (to === state) return
    state = to
    channel.notify("playbackStatusChange", state)
    report()
  }

  const reportResolutions = () => {
    const now = resolutionsOf(player)
    if (JSON.stringify(now) === resolutions) return
    resolutions = JSON.stringify(now)
    channel.notify("resolutionUpdate", { resolutions: now })
  }

  video.addEventListener("play", () => {
    channel.notify("play", undefined)
    change("playing")
  })
  video.addEventListener("pause", () => {
    if (video.ended) return
    channel.notify("pause", undefined)
    change("paused")
  })
  video.addEventListener("ended", () => change("ended"))
  video.addEventListener("volumechange", () => channel.notify("volumeChange", video.muted ? 0 : video.volume))
  player.onChoices(reportResolutions)
  reportResolutions()
  if (!video.paused) change("playing")
  setInterval(report, interval)
}
