import { canFullscreen, canPictureInPicture, toggleFullscreen, togglePictureInPicture } from "./Fullscreen.ts"
import type { Chapter } from "../api/Wire.ts"
import type { Captions } from "./Captions.ts"
import { chapterAt } from "./Chapters.ts"
import type { Commands } from "./Commands.ts"
import { dressButton, element, iconButton } from "./Dom.ts"
import { createMenu, type Menu } from "./Menu.ts"
import { t } from "./Messages.ts"
import { createSeekBar, type SeekBar } from "./SeekBar.ts"
import { settingsPages } from "./Settings.ts"
import type { Source } from "./Source.ts"
import type { Span } from "./Span.ts"
import { formatClock } from "./Time.ts"

export interface Controls {
  readonly element: HTMLElement
  readonly menu: Menu
  readonly seekBar: SeekBar
  /** Draws what the video's events changed. */
  readonly update: () => void
  /** Draws what the source or the captions changed. */
  readonly updateChoices: () => void
  readonly onChoices: (listener: () => void) => void
  /** Adds a button beside the others on the right. */
  readonly addButton: (button: HTMLButtonElement) => void
  readonly setChapters: (chapters: ReadonlyArray<Chapter>) => void
  /** Puts a button before the clock. */
  readonly addAtClock: (button: HTMLButtonElement) => void
}

export interface ControlsInput {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly captions: Captions
  readonly commands: Commands
  readonly source: () => Source | undefined
  readonly span: () => Span
  readonly hasSpeed: () => boolean
  /** How far the position is behind the edge of a live. */
  readonly behind: () => number
  readonly toggle: () => void
  readonly choose: (id: number) => void
  readonly seek: (seconds: number) => void
}

/** The bar under the picture: seek bar, buttons, volume, clock and the settings menu. */
export const createControls = (input: ControlsInput): Controls => {
  const { behind, root, video, captions, toggle, seek, span } = input
  const play = iconButton("play", t("playKey"), "kp-play")
  const mute = iconButton("loud", t("mute"), "kp-mute")
  const volume = element("input", {
    type: "range",
    class: "kp-volume",
    min: 0,
    max: 1,
    step: 0.05,
    "aria-label": t("volume")
  })
  const clock = element("div", { class: "kp-clock" })
  const chapter = element("div", { class: "kp-chapter", dir: "auto" })
  let chapters: ReadonlyArray<Chapter> = []
  const captionsButton = iconButton("captions", t("captionsKey"), "kp-captions")
  const settingsButton = iconButton("settings", t("settings"), "kp-settings")
  const pip = iconButton("pip", t("pictureInPicture"), "kp-pip")
  const fullscreen = iconButton("enter", t("fullscreenEnter"), "kp-fullscreen")
  const seekBar = createSeekBar({ video, seek, span })
  const menu = createMenu(settingsButton, () => settingsPages(input, chapters))
  const sound = element("div", { class: "kp-sound" }, mute, volume)
  const right = element("div", { class: "kp-right" }, captionsButton, settingsButton, pip, fullscreen)
  const row = element("div", { class: "kp-row" }, play, sound, clock, chapter, right)
  const bar = element("div", { class: "kp-bar" }, seekBar.element, row)

  captionsButton.hidden = true
  pip.hidden = !canPictureInPicture()
  fullscreen.hidden = !canFullscreen(video)
  play.addEventListener("click", toggle)
  mute.addEventListener("click", () => {
    video.muted = !video.muted
  })
  volume.addEventListener("input", () => {
    video.volume = Number(volume.value)
    video.muted = video.volume === 0
  })
  captionsButton.addEventListener("click", () => captions.select(captions.selected() === -1 ? 0 : -1))
  settingsButton.addEventListener("click", () => menu.toggle())
  pip.addEventListener("click", () => togglePictureInPicture(video))
  fullscreen.addEventListener("click", () => toggleFullscreen(root, video))
  document.addEventListener("fullscreenchange", () => {
    const full = document.fullscreenElement === root
    dressButton(fullscreen, full ? "leave" : "enter", full ? t("fullscreenLeave") : t("fullscreenEnter"))
  })

  const clockText = (): string => {
    const { isLive, to } = span()
    if (isLive) return behind() > 0 ? `−${formatClock(behind())}` : ""
    // Rounded as everywhere else: a clip of 29.97 s is one of 0:30.
    const total = Math.round(to)
    return `${formatClock(video.ended ? total : video.currentTime)} / ${formatClock(total)}`
  }

  const update = () => {
    if (video.ended) dressButton(play, "replay", t("playAgain"))
    else dressButton(play, video.paused ? "play" : "pause", video.paused ? t("playKey") : t("pause"))
    const level = video.muted ? 0 : video.volume
    dressButton(mute, level === 0 ? "muted" : level < 0.5 ? "quiet" : "loud", level === 0 ? t("unmute") : t("mute"))
    if (document.activeElement !== volume || volume.valueAsNumber !== level) volume.value = String(level)
    volume.style.setProperty("--kp-level", `${level * 100}%`)
    const time = clockText()
    if (clock.textContent !== time) clock.textContent = time
    const title = chapterAt(chapters, video.currentTime)?.title ?? ""
    if (chapter.textContent !== title) chapter.textContent = title
    seekBar.update()
  }

  const listeners: Array<() => void> = []

  return {
    element: bar,
    menu,
    seekBar,
    update,
    updateChoices: () => {
      captionsButton.hidden = captions.labels().length === 0
      captionsButton.setAttribute("aria-pressed", String(captions.selected() !== -1))
      const current = input.source()?.current()
      settingsButton.dataset["badge"] = current !== undefined && current.height >= 720 ? "HD" : ""
      menu.refresh()
      for (const listener of listeners) listener()
    },
    addAtClock: (button) => clock.before(button),
    addButton: (button) => pip.before(button),
    onChoices: (listener) => void listeners.push(listener),
    setChapters: (found) => {
      chapters = found
      seekBar.setChapters(found)
      update()
      menu.refresh()
    }
  }
}
