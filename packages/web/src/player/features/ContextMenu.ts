import { commandItem } from "../CommandItem.ts"
import { element } from "../Dom.ts"
import { t } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"

/** The menu of the right mouse button over the picture. */
export const showContextMenu = ({ commands, root, video }: Player, x: number, y: number): void => {
  const opener = document.activeElement
  const box = element("div", { class: "kp-menu kp-context", role: "menu", "aria-label": t("more") })
  const listening = new AbortController()
  const close = () => {
    listening.abort()
    box.remove()
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  }
  const items = commands.offered().map((command) =>
    commandItem(command, () => {
      close()
      command.run()
    })
  )
  box.append(...items)
  root.append(box)
  const stage = root.getBoundingClientRect()
  box.style.left = `${Math.max(4, Math.min(x - stage.left, stage.width - box.offsetWidth - 4))}px`
  box.style.top = `${Math.max(4, Math.min(y - stage.top, stage.height - box.offsetHeight - 4))}px`
  items[0]?.focus({ preventScroll: true })

  box.addEventListener("keydown", (event) => {
    const here = items.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === "Escape" || event.key === "Tab") close()
    else if (to !== undefined) items[(to + items.length) % items.length]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  const { signal } = listening
  document.addEventListener(
    "pointerdown",
    (event) => {
      if (!box.contains(event.target as Node)) close()
    },
    { signal, capture: true }
  )
  video.addEventListener("contextmenu", close, { signal })
}
