import type { RefObject } from "preact"
import { useEffect, useState } from "preact/hooks"

/** From this many rows on, only those near the window are in the page. */
const fewRows = 150
/** Rows kept above and below the window. */
const beside = 12

export interface Window {
  readonly from: number
  readonly to: number
  /** Heights of what is left out, in CSS pixels. */
  readonly above: number
  readonly below: number
}

/** Rows near the window, of `count` rows that are all `height` high, in a body whose top is `top` from the window's. */
export const windowOf = (count: number, height: number, top: number, viewport: number): Window => {
  const first = Math.max(0, Math.floor(-top / height) - beside)
  const from = Math.min(first, Math.max(0, count - 1))
  const to = Math.min(count, Math.ceil((viewport - top) / height) + beside)
  return {
    from,
    to: Math.max(from, to),
    above: from * height,
    below: Math.max(0, (count - Math.max(from, to)) * height)
  }
}

/** Which of many rows are drawn, as the page is scrolled. All of them where they are few. */
export const useWindow = (body: RefObject<HTMLElement | null>, count: number): Window => {
  const all: Window = { from: 0, to: Math.min(count, fewRows), above: 0, below: 0 }
  const [shown, setShown] = useState(all)
  useEffect(() => {
    if (count <= fewRows) return undefined
    let frame = 0
    const measure = (): void => {
      frame = 0
      const it = body.current
      const row = it?.querySelector<HTMLElement>("[data-row]")
      if (it === null || row === null || row === undefined) return
      const next = windowOf(count, row.getBoundingClientRect().height, it.getBoundingClientRect().top, innerHeight)
      setShown((now) => (now.from === next.from && now.to === next.to && now.below === next.below ? now : next))
    }
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(measure)
    }
    measure()
    addEventListener("scroll", later, { passive: true })
    addEventListener("resize", later)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener("scroll", later)
      removeEventListener("resize", later)
    }
  }, [count])
  return count <= fewRows ? { ...all, to: count } : shown
}
