import { json, property } from "../api/Answer.ts"
import { failureText } from "../forms/Outcome.ts"
import { askAsUser } from "../session/Session.ts"
import { enhanceImport, showLatest } from "./ArchiveImport.ts"
import { bytes, element, showStatus, textAt, time } from "./Parts.ts"

/** Between two looks at what is on its way. */
const lookEvery = 3000

const completed = 3
const failed = 4

const stateOf = (one: unknown): number => Number(textAt(property(one, "state"), "id"))

const words = (one: unknown): string => {
  switch (stateOf(one)) {
    case completed:
      return `Ready: ${bytes(Number(textAt(one, "size")))}, kept until ${time(textAt(one, "expiresOn"))}`
    case failed:
      return textAt(one, "error") || "It could not be made"
    default:
      return "On its way. You can leave this page."
  }
}

/** One archive: how far it is, a link to it, and a button that removes it. */
const exportItem = (path: string, one: unknown, again: () => Promise<void>): HTMLLIElement => {
  const item = document.createElement("li")
  item.append(element("strong", `Archive of ${time(textAt(one, "createdAt"))}`), element("span", words(one)))
  const url = textAt(one, "privateDownloadUrl")
  if (url !== "" && URL.canParse(url)) {
    const { pathname, search } = new URL(url)
    const link = element("a", "Download")
    link.href = pathname + search
    item.append(link)
  }
  const remove = element("button", stateOf(one) < completed ? "Give it up" : "Remove")
  remove.type = "button"
  remove.addEventListener("click", () => {
    remove.disabled = true
    void askAsUser(`${path}/${textAt(one, "id")}`, { method: "DELETE" }).then((answer) => {
      if (answer.ok || answer.status === 404) return again()
      remove.disabled = false
      item.append(element("span", failureText(answer, undefined)))
    })
  })
  item.append(remove)
  return item
}

/** Shows the archives of the user, asks for new ones, and takes those from elsewhere. */
export const showArchives = async (root: HTMLElement, userId: string): Promise<void> => {
  const part = root.querySelector<HTMLElement>("[data-archives]")
  const list = part?.querySelector<HTMLElement>("[data-exports]")
  const form = part?.querySelector<HTMLFormElement>("[data-export]")
  if (part === null || part === undefined || !list || !form) return
  const path = `/api/v1/users/${userId}/exports`
  const button = form.querySelector("button")!

  const show = async (): Promise<void> => {
    const answer = await askAsUser(path)
    const data = property(answer.body, "data")
    if (!answer.ok || !Array.isArray(data)) return showStatus(form, failureText(answer, undefined), true)
    list.hidden = data.length === 0
    list.replaceChildren(...data.map((one: unknown) => exportItem(path, one, show)))
    // There is one at a time.
    button.disabled = data.some((one: unknown) => stateOf(one) !== failed)
    if (data.some((one: unknown) => stateOf(one) < completed)) setTimeout(() => void show(), lookEvery)
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (button.disabled) return
    button.disabled = true
    showStatus(form, "")
    const withVideoFiles = form.querySelector<HTMLInputElement>("[name=withVideoFiles]")!.checked
    void askAsUser(`${path}/request`, json("POST", { withVideoFiles })).then((answer) => {
      if (answer.ok) return show()
      button.disabled = false
      showStatus(form, failureText(answer, answer.detail), true)
    })
  })
  enhanceImport(part, userId)
  // Most have never brought one, and are not asked about it.
  const bring = part.querySelector<HTMLDetailsElement>("[data-bring]")
  bring?.addEventListener("toggle", () => void (bring.open && showLatest(part, userId)), { once: true })
  await show()
}
