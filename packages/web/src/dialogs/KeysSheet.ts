import { openDialog } from "./OpenDialog.ts"
import { loadMessages, text } from "../i18n/Text.ts"
import { element } from "../player/Dom.ts"
import { keysAreOn, switchKeys } from "../keys/KeysChoice.ts"
import { places } from "../keys/Places.ts"

const t = text("keys")

const row = (keys: ReadonlyArray<string>, what: string): HTMLElement =>
  element("div", {}, element("dt", {}, ...keys.map((key) => element("kbd", {}, key))), element("dd", {}, what))

/** Shows the keys of the pages, and the switch that turns them off. */
export const openKeysSheet = async (): Promise<void> => {
  await loadMessages("keys")
  if (document.querySelector("dialog.keys-sheet") !== null) return
  const goals = Object.keys(places) as Array<keyof typeof places>
  const list = element(
    "dl",
    { class: "keys-list" },
    row(["/"], t("search")),
    row(["?"], t("help")),
    ...goals.map((key) => row(["g", key], t(key)))
  )
  const choice = element("input", { type: "checkbox" })
  choice.checked = keysAreOn()
  choice.addEventListener("change", () => switchKeys(choice.checked))
  const label = element("label", { class: "keys-choice" }, choice, t("choice"))
  const player = element("p", { class: "soft" }, t("player"))
  const dialog = openDialog(t("title"), list, player, label)
  dialog.classList.add("keys-sheet")
  dialog.querySelector(".sheet-close")?.setAttribute("aria-label", t("close"))
}
