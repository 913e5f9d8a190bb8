import type { Chapter, Storyboard } from "../api/Wire.ts"
import { chapterAt, chapterMarks } from "./Chapters.ts"
import { element } from "./Dom.ts"
import { t } from "./Messages.ts"
import { showTile } from "./Storyboard.ts"
import { formatClock, spokenTime } from "./Time.ts"

export interface SeekBar {
  readonly element: HTMLElement
  readonly update: () => void
  readonly setStoryboard: (board: Storyboard) => void
  readonly setTotal: (seconds: number) => void
  /** Marks a section that repeats; without an end it is only begun. */
  readonly setSection: (from: number | undefined, to: number | undefined) => void
  readonly setChapters: (chapters: ReadonlyArray<Chapter>) => void
}

/** The end of the buffered range that holds the position. */
const bufferedEnd = (video: HTMLVideoElement): number => {
  for (let i = 0; i < video.buffered.length; i++) {
    if (video.buffered.start(i) <= video.currentTime + 0.5 && video.buffered.end(i) >= video.currentTime) {
      return video.buffered.end(i)
    }
  }
  return 0
}

/** Seconds that can be played from here without the network. */
export const bufferAhead = (video: HTMLVideoElement): number => Math.max(0, bufferedEnd(video) - video.currentTime)

/** Position, buffer and a hover preview; dragging seeks when let go, and shows where it would land meanwhile. */
export const createSeekBar = (video: HTMLVideoElement, seek: (seconds: number) => void): SeekBar => {
  const buffered = element("div", { class: "kp-seek-buffered" })
  const played = element("div", { class: "kp-seek-played" })
  const knob = element("div", { class: "kp-seek-knob" })
  const picture = element("div", { class: "kp-preview-picture", hidden: true })
  const moment = element("div", { class: "kp-preview-time" })
  const part = element("div", { class: "kp-preview-chapter", hidden: true })
  const preview = element("div", { class: "kp-preview", "aria-hidden": "true" }, picture, part, moment)
  const section = element("div", { class: "kp-seek-section", hidden: true })
  const marks = element("div", { class: "kp-seek-chapters" })
  const track = element("div", { class: "kp-seek-track" }, buffered, played, section, marks)
  const bar = element(
    "div",
    { class: "kp-seek", role: "slider", tabindex: 0, "aria-label": t("position"), "aria-valuemin": 0 },
    track,
    knob,
    preview
  )
  let board: Storyboard | undefined
  let chapters: ReadonlyArray<Chapter> = []
  let marked = 0
  let total = 0
  let dragged: number | undefined

  const duration = () => (Number.isFinite(video.duration) && video.duration > 0 ? video.duration : total)

  const draw = () => {
    const length = duration()
    const position = dragged ?? video.currentTime
    const share = length > 0 ? Math.min(1, position / length) : 0
    played.style.transform = `scaleX(${share})`
    knob.style.left = `${share * 100}%`
    buffered.style.transform = `scaleX(${length > 0 ? Math.min(1, bufferedEnd(video) / length) : 0})`
    if (marked !== length) {
      marked = length
      marks.replaceChildren(...chapterMarks(chapters, length))
    }
    bar.setAttribute("aria-valuemax", String(Math.floor(length)))
    bar.setAttribute("aria-valuenow", String(Math.floor(position)))
    const chapter = chapterAt(chapters, position)?.title
    const clock = `${spokenTime(position)} of ${spokenTime(length)}`
    bar.setAttribute("aria-valuetext", chapter === undefined ? clock : `${clock}, ${chapter}`)
  }

  const at = (event: PointerEvent): number => {
    const box = track.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * duration()
  }

  const showPreview = (event: PointerEvent) => {
    const box = track.getBoundingClientRect()
    const seconds = at(event)
    moment.textContent = formatClock(seconds)
    const chapter = chapterAt(chapters, seconds)?.title
    part.hidden = chapter === undefined
    part.textContent = chapter ?? ""
    if (board !== undefined) showTile(picture, board, seconds, Math.min(board.spriteWidth, box.width < 480 ? 128 : 192))
    preview.classList.add("kp-on")
    const half = preview.offsetWidth / 2
    const x = Math.min(box.width - half, Math.max(half, event.clientX - box.left))
    preview.style.left = `${x}px`
  }

  bar.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || duration() === 0) return
    bar.setPointerCapture(event.pointerId)
    dragged = at(event)
    bar.classList.add("kp-dragging")
    showPreview(event)
    draw()
  })
  bar.addEventListener("pointermove", (event) => {
    if (duration() === 0) return
    showPreview(event)
    if (dragged === undefined) return
    dragged = at(event)
    draw()
  })
  const release = () => {
    if (dragged !== undefined) seek(dragged)
    dragged = undefined
    bar.classList.remove("kp-dragging")
    draw()
  }
  bar.addEventListener("pointerup", (event) => {
    release()
    if (event.pointerType !== "mouse") preview.classList.remove("kp-on")
  })
  bar.addEventListener("pointercancel", () => {
    dragged = undefined
    bar.classList.remove("kp-dragging")
    preview.classList.remove("kp-on")
  })
  bar.addEventListener("pointerleave", () => preview.classList.remove("kp-on"))

  return {
    element: bar,
    update: draw,
    setStoryboard: (found) => {
      board = found
    },
    setTotal: (seconds) => {
      total = seconds
      draw()
    },
    setSection: (from, to) => {
      const length = duration()
      section.hidden = from === undefined || length === 0
      if (from === undefined || length === 0) return
      section.style.left = `${(from / length) * 100}%`
      section.style.width = to === undefined ? "3px" : `${((to - from) / length) * 100}%`
    },
    setChapters: (found) => {
      chapters = found
      marked = -1
      draw()
    }
  }
}
