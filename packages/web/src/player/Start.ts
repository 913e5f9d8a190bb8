import { applyColors } from "./Colors.ts"
import type { Controls } from "./Controls.ts"
import { recallPosition, recallVolume, type Shelf } from "./Memory.ts"
import { t } from "./Messages.ts"
import type { PlayerOptions } from "./Options.ts"
import type { Overlay } from "./Overlay.ts"
import { formatClock } from "./Time.ts"
import { watchedBefore } from "./Watching.ts"

export interface DressInput {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly overlay: Overlay
  readonly controls: Controls
  readonly options: PlayerOptions
  readonly shelf: Shelf | undefined
}

/** Puts the parts of the player over the picture, and sets the video as the address and this browser's memory say. */
export const dress = ({ controls, options, overlay, root, shelf, video }: DressInput): void => {
  const volume = recallVolume(shelf)
  video.volume = volume.level
  video.muted = options.muted || volume.muted
  video.loop = options.loop
  if (options.playbackRate !== undefined) {
    // The default rate is the one that a newly opened file starts with.
    video.defaultPlaybackRate = options.playbackRate
    video.playbackRate = options.playbackRate
  }
  // Sound alone is played over the preview. An address, as the browser writes it, holds no quotes.
  if (video.poster !== "") root.style.setProperty("--kp-poster", `url("${video.poster}")`)
  applyColors(root, options.colors)
  root.classList.add("kp")
  const hasBar = options.controls && options.controlBar
  root.classList.toggle("kp-bare", !hasBar)
  root.append(...overlay.elements)
  if (hasBar) root.append(controls.element, controls.menu.element)
}

/** Where playing begins, in seconds: as the address asks, else where this browser or this user stopped. */
export const startPosition = async (
  id: string,
  options: PlayerOptions,
  shelf: Shelf | undefined,
  overlay: Overlay
): Promise<number> => {
  if (options.start !== undefined) return options.start
  const remembered = recallPosition(shelf, id)
  if (remembered === undefined) return (await watchedBefore(id)) ?? 0
  overlay.flash("replay", t("from", { clock: formatClock(remembered) }))
  return remembered
}
