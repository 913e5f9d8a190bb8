import { listenToSwipes, type Swipe } from "./Swipe.ts"

const idleAfter = 2_600
const doubleTap = 280

export interface GestureActions {
  readonly toggle: () => void
  readonly fullscreen: () => void
  readonly skip: (seconds: number) => void
  readonly swipe: Swipe
  /** Controls must stay, as while paused or with the menu open. */
  readonly holds: () => boolean
}

/** Mouse and touch on the picture, and the hiding of the controls when nothing moves. */
export const listenToGestures = (root: HTMLElement, surface: HTMLElement, actions: GestureActions): (() => void) => {
  let idle: number | undefined
  let lastTap = 0
  let pending: number | undefined
  /** The last tap was at a side of the picture, where a second one skips. */
  let skips = false

  const wake = () => {
    root.classList.remove("kp-idle")
    clearTimeout(idle)
    idle = window.setTimeout(() => {
      if (!actions.holds()) root.classList.add("kp-idle")
    }, idleAfter)
  }
  const sleep = () => {
    clearTimeout(idle)
    if (!actions.holds()) root.classList.add("kp-idle")
  }

  root.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") wake()
  })
  root.addEventListener("mouseleave", sleep)
  root.addEventListener("focusin", wake)
  root.addEventListener("keydown", wake)

  const tap = (event: PointerEvent) => {
    const now = event.timeStamp
    const box = surface.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    const side = share < 0.35 ? -10 : share > 0.65 ? 10 : 0
    clearTimeout(pending)
    skips = side !== 0
    if (now - lastTap < doubleTap && side !== 0) {
      // Keeps the window open, so a third tap skips further.
      lastTap = now
      return actions.skip(side)
    }
    lastTap = now
    const hidden = root.classList.contains("kp-idle")
    pending = window.setTimeout(() => (hidden ? wake() : sleep()), doubleTap)
  }

  const swiped = listenToSwipes(surface, actions.swipe)
  surface.addEventListener("pointerup", (event) => {
    if (event.button !== 0 || swiped()) return
    if (event.pointerType !== "mouse") return tap(event)
    skips = false
    actions.toggle()
    wake()
  })
  surface.addEventListener("dblclick", (event) => {
    event.preventDefault()
    // Browsers make a double click of two taps as well.
    if (!skips) actions.fullscreen()
  })
  wake()
  return wake
}
