import { keysAreOn, switchKeys } from "../../keys/KeysChoice.ts"
import { element, iconButton } from "../Dom.ts"
import { keyTexts, messages } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"

const row = (keys: ReadonlyArray<string>, text: string) =>
  element("div", {}, element("dt", {}, ...keys.map((it) => element("kbd", {}, it))), element("dd", {}, text))

/** The sheet of all keys. */
export const showHelp = ({ commands, root }: Player): void => {
  if (root.querySelector(".kp-help") !== null) return
  const close = iconButton("close", messages.close, "kp-help-close")
  const list = element(
    "dl",
    {},
    ...keyTexts.map(([keys, text]) => row(keys, text)),
    ...commands.offered().map(({ key, label }) => row([key], label))
  )
  const dialog = element("dialog", { class: "kp-help", "aria-label": messages.help }, element("h2", {}, messages.help))
  const choice = element("input", { type: "checkbox" })
  choice.checked = keysAreOn()
  choice.addEventListener("change", () => switchKeys(choice.checked))
  dialog.append(close, list, element("label", { class: "kp-help-choice" }, choice, messages.keysChoice))
  close.addEventListener("click", () => dialog.close())
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  root.append(dialog)
  dialog.showModal()
}
