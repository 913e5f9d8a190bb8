import { browserShelf } from "../player/Memory.ts"
import { t } from "../player/Messages.ts"
import type { Player } from "../player/PlayerInterface.ts"

const key = "kinora.autoplay-next"

/** Storage may be denied: then the next video waits to be chosen. */
const remembered = (): boolean => {
  try {
    return browserShelf()?.getItem(key) === "1"
  } catch {
    return false
  }
}

/** The switch beside "More videos": when on, the first of them follows after a countdown. */
export const offerAutoplayNext = (player: Player): void => {
  const toggle = document.querySelector<HTMLButtonElement>(".autoplay-next")
  const link = document.querySelector<HTMLAnchorElement>(".next .cards a[href]")
  const title = document.querySelector<HTMLElement>(".next .card-title")?.textContent?.trim() ?? ""
  if (toggle === null || link === null) return
  toggle.hidden = false
  toggle.setAttribute("aria-checked", String(remembered()))
  const isOn = () => toggle.getAttribute("aria-checked") === "true"
  toggle.addEventListener("click", () => {
    toggle.setAttribute("aria-checked", String(!isOn()))
    try {
      browserShelf()?.setItem(key, isOn() ? "1" : "0")
    } catch {
      // See above.
    }
  })
  player.video.addEventListener("ended", () => {
    // A live may go on, and its replay follows.
    if (player.root.dataset["live"] !== undefined) return
    if (!isOn() || player.video.loop || player.root.dataset["section"] !== undefined) return
    const go = () => location.assign(link.href)
    void import("../player/features/UpNext.ts").then((it) => it.countDown(player, { title, go }))
  })
}

/** The next place of the playlist follows after a countdown, too. */
export const countDownTo =
  (player: Player) =>
  (go: () => void): void => {
    const places = [...document.querySelectorAll<HTMLElement>(".place")]
    const current = places.findIndex((it) => it.querySelector("[aria-current]") !== null)
    const following = places.slice(current + 1).find((it) => !it.classList.contains("gone"))
    const title = following?.querySelector(".place-title")?.textContent?.trim() ?? t("nextVideo")
    void import("../player/features/UpNext.ts").then((it) => it.countDown(player, { title, go }), go)
  }
