import type { Captions } from "./Captions.ts"
import { toggleFullscreen, togglePictureInPicture } from "./Fullscreen.ts"
import type { Action } from "./Keys.ts"
import { t } from "./Messages.ts"
import type { Overlay } from "./Overlay.ts"
import { speeds } from "./Settings.ts"
import type { Span } from "./Span.ts"

export interface ActionsInput {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly overlay: Overlay
  readonly captions: Captions
  readonly span: () => Span
  /** Whether the viewer may change the speed: at the edge of a live there is nothing to hurry to. */
  readonly hasSpeed: () => boolean
  readonly seek: (seconds: number) => void
  readonly toggle: () => void
}

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** Does what keys and gestures ask for, and shows that it was done. */
export const createActions = (input: ActionsInput): ((action: Action) => void) => {
  const { captions, hasSpeed, overlay, root, seek, span, toggle, video } = input

  const changeSpeed = (by: number) => {
    if (!hasSpeed()) return
    const at = speeds.findIndex((it) => it >= video.playbackRate)
    video.playbackRate = speeds[within(at + by, 0, speeds.length - 1)] ?? 1
    overlay.flash("play", `${video.playbackRate}×`)
  }

  const changeVolume = (by: number) => {
    video.volume = within(video.volume + by, 0, 1)
    video.muted = video.volume === 0
    overlay.flash(video.volume === 0 ? "muted" : "loud", t("percent", { share: Math.round(video.volume * 100) }))
  }

  return (action) => {
    switch (action.do) {
      case "toggle":
        overlay.flash(video.paused ? "play" : "pause")
        return toggle()
      case "mute":
        video.muted = !video.muted
        return overlay.flash(video.muted ? "muted" : "loud")
      case "fullscreen":
        return toggleFullscreen(root, video)
      case "pip":
        return togglePictureInPicture(video)
      case "captions":
        if (captions.labels().length > 0) captions.select(captions.selected() === -1 ? 0 : -1)
        return
      case "skip":
        seek(video.currentTime + action.seconds)
        return overlay.flash(action.seconds > 0 ? "next" : "back", t("seconds", { count: Math.abs(action.seconds) }))
      case "frame":
        if (video.paused) seek(video.currentTime + action.frames / 30)
        return
      case "share":
        return seek(span().from + (span().to - span().from) * action.of)
      case "volume":
        return changeVolume(action.by)
      case "speed":
        return changeSpeed(action.by)
    }
  }
}
