import { iconButton } from "../player/Dom.ts"
import { browserShelf } from "../player/Memory.ts"
import { t } from "../player/Messages.ts"
import type { Player } from "../player/PlayerInterface.ts"

const key = "kinora.theatre"

/** Storage may be denied: then each page begins without. */
const remembered = (): boolean => {
  try {
    return browserShelf()?.getItem(key) === "1"
  } catch {
    return false
  }
}

/** The player over the whole width of the page, remembered. */
export const offerTheatre = ({ commands, controls, root }: Player): void => {
  const page = root.closest<HTMLElement>(".watch")
  if (page === null) return
  const button = iconButton("theatre", t("theatreKey"), "kp-theatre")
  const isOn = () => page.classList.contains("theatre")
  const set = (on: boolean) => {
    page.classList.toggle("theatre", on)
    button.setAttribute("aria-pressed", String(on))
  }
  const toggle = () => {
    set(!isOn())
    try {
      browserShelf()?.setItem(key, isOn() ? "1" : "0")
    } catch {
      // See above.
    }
  }
  set(remembered())
  button.addEventListener("click", toggle)
  controls.addButton(button)
  commands.add({ name: "theatre", label: t("theatre"), key: "t", isOn, run: toggle })
}
