import { keysAreOn, switchKeys } from "../../keys/KeysChoice.ts"
import { element, iconButton } from "../Dom.ts"
import { t as player } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"
import { pageText } from "../../i18n/PageText.ts"
import { messages } from "../../messages/en/playerKeys.ts"

const t = pageText("playerKeys", messages)

const row = (keys: ReadonlyArray<string>, text: string) =>
  element("div", {}, element("dt", {}, ...keys.map((it) => element("kbd", {}, it))), element("dd", {}, text))

/** The keys of buttons and of the picture. */
const keys = (): ReadonlyArray<readonly [keys: ReadonlyArray<string>, text: string]> => [
  [["k", t("space")], t("play")],
  [["←", "→"], t("five")],
  [["j", "l"], t("ten")],
  [["0", "…", "9"], t("tenth")],
  [[",", "."], t("picture")],
  [["<", ">"], t("speed")],
  [["m"], t("mute")],
  [["↑", "↓"], t("louder")],
  [["c"], t("captions")],
  [["f"], t("fullscreen")],
  [["i"], t("pip")]
]

/** The sheet of all keys. */
export const showHelp = ({ commands, root }: Player): void => {
  if (root.querySelector(".kp-help") !== null) return
  const close = iconButton("close", player("close"), "kp-help-close")
  const list = element(
    "dl",
    {},
    ...keys().map((it) => row(...it)),
    ...commands.offered().map(({ key, label }) => row([key], label))
  )
  const dialog = element(
    "dialog",
    { class: "kp-help", "aria-label": player("help") },
    element("h2", {}, player("help"))
  )
  const choice = element("input", { type: "checkbox" })
  choice.checked = keysAreOn()
  choice.addEventListener("change", () => switchKeys(choice.checked))
  dialog.append(close, list, element("label", { class: "kp-help-choice" }, choice, player("keysChoice")))
  close.addEventListener("click", () => dialog.close())
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  root.append(dialog)
  dialog.showModal()
}
