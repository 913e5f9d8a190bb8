import { element } from "../Dom.ts"
import { pageText } from "../../i18n/PageText.ts"
import { messages } from "../../messages/en/upNext.ts"
import type { Player } from "../PlayerInterface.ts"

const t = pageText("upNext", messages)

/** Seconds in which the viewer can say no. */
const count = 5

export interface Following {
  readonly title: string
  readonly go: () => void
}

/** Counts down over the picture and goes on, unless the viewer cancels, seeks or plays again. */
export const countDown = ({ root, video }: Player, { go, title }: Following): void => {
  if (root.querySelector(".kp-next") !== null) return
  let left = count
  const number = element("span", { class: "kp-next-count", "aria-hidden": "true" }, String(left))
  const now = element("button", { type: "button", class: "kp-again" }, t("playNow"))
  const cancel = element("button", { type: "button", class: "kp-again kp-quiet" }, t("cancel"))
  const box = element(
    "div",
    { class: "kp-panel kp-next", role: "group", "aria-label": t("upNext") },
    number,
    element("p", { class: "kp-advice" }, t("upNext")),
    element("p", { class: "kp-next-title", dir: "auto", role: "status" }, title),
    element("div", { class: "kp-question" }, now, cancel)
  )
  const listening = new AbortController()
  const { signal } = listening
  const end = () => {
    clearInterval(timer)
    listening.abort()
    box.remove()
  }
  const leave = () => {
    end()
    go()
  }
  const timer = setInterval(() => {
    left -= 1
    number.textContent = String(left)
    if (left === 0) leave()
  }, 1_000)
  now.addEventListener("click", leave)
  cancel.addEventListener("click", end)
  for (const name of ["seeking", "play"]) video.addEventListener(name, end, { signal })
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape") end()
    },
    { signal }
  )
  root.append(box)
  // Whoever writes a comment meanwhile goes on writing.
  const focused = document.activeElement
  if (focused === document.body || root.contains(focused)) cancel.focus({ preventScroll: true })
}
