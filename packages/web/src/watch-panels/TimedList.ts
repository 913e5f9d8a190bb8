import { element } from "../player/Dom.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { formatClock } from "../player/Time.ts"

/** Something at a moment, in seconds. */
export interface Timed {
  readonly start: number
  readonly text: string
}

/** Moments as buttons that go there; the one that plays is marked, and kept in sight inside the list. */
export const timedList = (player: Player, items: ReadonlyArray<Timed>, label: string): HTMLOListElement => {
  const buttons = items.map(({ start, text }) => {
    const button = element(
      "button",
      { type: "button", class: "moment" },
      element("span", { class: "moment-time" }, formatClock(start)),
      element("span", { class: "moment-text", dir: "auto" }, text)
    )
    button.addEventListener("click", () => player.seek(start))
    return button
  })
  const list = element("ol", { class: "moments", "aria-label": label }, ...buttons.map((it) => element("li", {}, it)))
  let current = -1
  const follow = () => {
    const now = items.findLastIndex((it) => it.start <= player.video.currentTime + 0.05)
    if (now === current) return
    buttons[current]?.removeAttribute("aria-current")
    current = now
    const button = buttons[now]
    if (button === undefined) return
    button.setAttribute("aria-current", "true")
    // Only the list scrolls: the page stays where the viewer has it, and so does the list while it is used.
    if (list.matches(":hover, :focus-within")) return
    list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 3
  }
  player.video.addEventListener("timeupdate", follow)
  player.video.addEventListener("seeking", follow)
  follow()
  return list
}
