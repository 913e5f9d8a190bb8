import { toggleFullscreen } from "./Fullscreen.ts"
import type { Overlay } from "./Overlay.ts"
import type { Span } from "./Span.ts"
import { formatClock } from "./Time.ts"

/** A movement that is shorter is a tap, in CSS pixels. */
const least = 24
/** A swipe over the whole picture seeks at most this far, in seconds. */
const farthest = 120

/** What a finger on the picture does while it moves, and when it is lifted. */
export interface Swipe {
  /** `share` of the width, to the right. */
  readonly across: (share: number) => void
  readonly lifted: (share: number) => void
  readonly up: () => void
  readonly down: () => void
}

export interface SwipeInput {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly overlay: Overlay
  readonly span: () => Span
  readonly seek: (seconds: number) => void
}

/** To the side seeks, up enters full screen, down leaves it. */
export const createSwipe = ({ overlay, root, seek, span, video }: SwipeInput): Swipe => {
  const target = (share: number) => {
    const { from, to } = span()
    const reach = Math.min(farthest, to - from)
    return Math.min(to, Math.max(from, video.currentTime + share * reach))
  }
  const words = (seconds: number) => {
    const { isLive, to } = span()
    return isLive ? `−${formatClock(to - seconds)}` : `${formatClock(seconds)} / ${formatClock(to)}`
  }
  const full = () => document.fullscreenElement === root
  return {
    across: (share) => overlay.notice(words(target(share))),
    lifted: (share) => {
      overlay.notice(undefined)
      if (share !== 0) seek(target(share))
    },
    up: () => {
      if (!full()) toggleFullscreen(root, video)
    },
    down: () => {
      if (full()) toggleFullscreen(root, video)
    }
  }
}

/** Recognises swipes of one finger; the answer says whether the pointer that was just lifted made one. */
export const listenToSwipes = (surface: HTMLElement, swipe: Swipe): (() => boolean) => {
  let from: { readonly id: number; readonly x: number; readonly y: number } | undefined
  let across = false
  let made = false
  const shareOf = (event: PointerEvent) => (event.clientX - (from?.x ?? 0)) / Math.max(1, surface.clientWidth)

  surface.addEventListener("pointerdown", (event) => {
    made = false
    across = false
    from =
      event.pointerType !== "mouse" && event.isPrimary
        ? { id: event.pointerId, x: event.clientX, y: event.clientY }
        : undefined
  })
  surface.addEventListener("pointermove", (event) => {
    if (from === undefined || event.pointerId !== from.id) return
    const [x, y] = [Math.abs(event.clientX - from.x), Math.abs(event.clientY - from.y)]
    if (!across && x > least && x > 2 * y) {
      across = true
      surface.setPointerCapture(event.pointerId)
    }
    if (across) swipe.across(shareOf(event))
  })
  surface.addEventListener("pointerup", (event) => {
    if (from === undefined || event.pointerId !== from.id) return
    const y = event.clientY - from.y
    if (across) swipe.lifted(shareOf(event))
    else if (Math.abs(y) > 3 * least) (y < 0 ? swipe.up : swipe.down)()
    made = across || Math.abs(y) > 3 * least
    from = undefined
  })
  surface.addEventListener("pointercancel", () => {
    if (across) swipe.lifted(0)
    from = undefined
    across = false
  })
  return () => made
}
