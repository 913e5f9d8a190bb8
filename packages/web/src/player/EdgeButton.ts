import { element } from "./Dom.ts"
import { t } from "./LiveText.ts"

export interface EdgeButtonInput {
  readonly video: HTMLVideoElement
  /** Seconds behind the edge; 0 at it. */
  readonly behind: () => number
  readonly toEdge: () => void
}

/** The word LIVE in the bar: filled at the edge, and a way back to it from behind. */
export const createEdgeButton = ({ behind, toEdge, video }: EdgeButtonInput): HTMLButtonElement => {
  const button = element(
    "button",
    { type: "button", class: "kp-edge" },
    element("span", { class: "kp-edge-dot", "aria-hidden": "true" }),
    t("live")
  )
  const draw = () => {
    const isThere = behind() === 0
    const label = isThere ? t("atEdge") : t("toEdge")
    if (button.title === label) return
    button.dataset["at"] = isThere ? "edge" : "behind"
    button.title = label
    button.setAttribute("aria-label", label)
  }
  button.addEventListener("click", toEdge)
  for (const name of ["timeupdate", "seeked", "pause", "progress"]) video.addEventListener(name, draw)
  // A paused picture falls behind without an event.
  setInterval(draw, 1_000)
  draw()
  return button
}
