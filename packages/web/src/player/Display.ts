import type { Controls } from "./Controls.ts"
import type { Intent } from "./Intent.ts"
import type { Overlay } from "./Overlay.ts"
import type { Playback } from "./Playback.ts"

const drawn = ["play", "pause", "ended", "timeupdate", "progress", "durationchange", "volumechange", "seeked"]

export interface DisplayInput {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly overlay: Overlay
  readonly controls: Controls
  readonly intent: Intent
  readonly playback: Playback
  /** Shows the controls for a while. */
  readonly wake: () => void
}

/** Shows what the video element does: controls, spinner and big button follow its events. */
export const showEvents = ({ controls, intent, overlay, playback, root, video, wake }: DisplayInput): void => {
  const on = (names: ReadonlyArray<string>, action: () => void) => {
    for (const name of names) video.addEventListener(name, action)
  }
  on(drawn, controls.update)
  on(["ratechange"], controls.menu.refresh)
  on(["waiting"], () => {
    overlay.busy(true)
    playback.showTrouble()
    playback.takeBetter()
  })
  on(["seeking"], () => {
    overlay.busy(true)
    playback.takeBetter()
  })
  on(["playing", "canplay", "seeked", "pause"], () => overlay.busy(false))
  on(["play"], () => root.classList.add("kp-started"))
  on(["playing"], () => {
    root.classList.remove("kp-blocked")
    wake()
  })
  on(["pause"], () => {
    if (!video.ended && video.error === null) intent.drop()
    wake()
  })
  on(["resize"], () => root.style.setProperty("--kp-ratio", `${video.videoWidth} / ${video.videoHeight}`))
}
