import { useEffect, useRef } from "preact/hooks"

/** Between two looks, in milliseconds, while the page is looked at. */
const lookEvery = 5000

/** Asks again and again, as long as the page is shown and in front: the next time begins after the answer. */
export const useLive = (again: () => Promise<void>): void => {
  const latest = useRef(again)
  latest.current = again
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const look = async (): Promise<void> => {
      if (!document.hidden) await latest.current()
      if (!gone) timer = setTimeout(() => void look(), lookEvery)
    }
    timer = setTimeout(() => void look(), lookEvery)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [])
}
