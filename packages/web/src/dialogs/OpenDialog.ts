import { element } from "../player/Dom.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/dialogs.ts"

const t = pageText("dialogs", messages)

/** Opens a dialog over the page. It goes when it is closed, and the focus returns to where it was. */
export const openDialog = (title: string, ...content: Array<Node | string>): HTMLDialogElement => {
  const close = element("button", { type: "button", class: "sheet-close", "aria-label": t("close") }, "×")
  const heading = element("h2", { id: "sheet-title" }, title)
  const dialog = element(
    "dialog",
    { class: "sheet", "aria-labelledby": "sheet-title" },
    element("div", { class: "sheet-head" }, heading, close),
    ...content
  )
  close.addEventListener("click", () => dialog.close())
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Copies a text, and says on the button for a moment what came of it. */
export const copyFrom = async (button: HTMLButtonElement, text: string): Promise<void> => {
  const label = button.dataset["label"] ?? button.textContent ?? ""
  button.dataset["label"] = label
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = t("copied")
  } catch {
    button.textContent = t("notCopied")
  }
  setTimeout(() => {
    button.textContent = label
  }, 1_800)
}
