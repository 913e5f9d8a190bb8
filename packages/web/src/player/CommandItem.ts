import type { Command } from "./Commands.ts"
import { element, icon } from "./Dom.ts"

/** A command as an item of a menu, with its key. */
export const commandItem = (command: Command, chosen: () => void): HTMLButtonElement => {
  const on = command.isOn?.()
  const item = element(
    "button",
    {
      type: "button",
      class: "kp-item",
      role: on === undefined ? "menuitem" : "menuitemcheckbox",
      "aria-checked": on === undefined ? undefined : String(on)
    },
    icon("check"),
    element("span", { class: "kp-item-name" }, command.label),
    element("kbd", { class: "kp-item-value" }, command.key)
  )
  item.addEventListener("click", chosen)
  return item
}
