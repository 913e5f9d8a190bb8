import type { Chapter, Storyboard } from "../api/Wire.ts"
import { chapterAt, chapterMarks } from "./Chapters.ts"
import { element } from "./Dom.ts"
import { t } from "./Messages.ts"
import type { Span } from "./Span.ts"
import { showTile } from "./Storyboard.ts"
import { formatClock, spokenTime } from "./Time.ts"

export interface SeekBar {
  readonly element: HTMLElement
  readonly update: () => void
  readonly setStoryboard: (board: Storyboard) => void
  /** Marks a section that repeats; without an end it is only begun. */
  readonly setSection: (from: number | undefined, to: number | undefined) => void
  readonly setChapters: (chapters: ReadonlyArray<Chapter>) => void
}

export interface SeekBarInput {
  readonly video: HTMLVideoElement
  readonly seek: (seconds: number) => void
  readonly span: () => Span
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
export const createSeekBar = ({ seek, span, video }: SeekBarInput): SeekBar => {
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
  let dragged: number | undefined

  const length = () => span().to - span().from
  /** The part of the bar that lies before a moment. */
  const shareOf = (seconds: number): number => {
    const { from, to } = span()
    return to > from ? Math.min(1, Math.max(0, (seconds - from) / (to - from))) : 0
  }
  const clockAt = (seconds: number): string => {
    const { isLive, to } = span()
    return isLive ? `−${formatClock(to - seconds)}` : formatClock(seconds)
  }
  const spokenAt = (seconds: number): string => {
    const { isLive, to } = span()
    if (!isLive) return `${spokenTime(seconds)} of ${spokenTime(to)}`
    return t("behindLive", { time: formatClock(to - seconds) })
  }

  const draw = () => {
    const position = dragged ?? video.currentTime
    const share = shareOf(position)
    const { from, to } = span()
    played.style.transform = `scaleX(${share})`
    knob.style.left = `${share * 100}%`
    buffered.style.transform = `scaleX(${shareOf(bufferedEnd(video))})`
    if (marked !== to) {
      marked = to
      marks.replaceChildren(...chapterMarks(chapters, to))
    }
    bar.setAttribute("aria-valuemin", String(Math.floor(from)))
    bar.setAttribute("aria-valuemax", String(Math.floor(to)))
    bar.setAttribute("aria-valuenow", String(Math.floor(position)))
    const chapter = chapterAt(chapters, position)?.title
    const clock = spokenAt(position)
    bar.setAttribute("aria-valuetext", chapter === undefined ? clock : `${clock}, ${chapter}`)
  }

  const at = (event: PointerEvent): number => {
    const box = track.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * length() + span().from
  }

  const showPreview = (event: PointerEvent) => {
    const box = track.getBoundingClientRect()
    const seconds = at(event)
    moment.textContent = clockAt(seconds)
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
    if (event.button !== 0 || length() === 0) return
    bar.setPointerCapture(event.pointerId)
    dragged = at(event)
    bar.classList.add("kp-dragging")
    showPreview(event)
    draw()
  })
  bar.addEventListener("pointermove", (event) => {
    if (length() === 0) return
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
    setSection: (from, to) => {
      section.hidden = from === undefined || length() === 0
      if (from === undefined || length() === 0) return
      section.style.left = `${shareOf(from) * 100}%`
      section.style.width = to === undefined ? "3px" : `${(shareOf(to) - shareOf(from)) * 100}%`
    },
    setChapters: (found) => {
      chapters = found
      marked = -1
      draw()
    }
  }
}
