import type { UserExport } from "@kinora/domain/wire/UserArchive"
import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { enhanceImport, showLatest } from "./ArchiveImport.ts"
import { bytes, element, showStatus, time } from "./Parts.ts"

/** Between two looks at what is on its way. */
const lookEvery = 3000

const completed = 3
const failed = 4

const words = (one: UserExport): string => {
  switch (one.state.id) {
    case completed:
      return `Ready: ${bytes(one.size ?? 0)}, kept until ${time(one.expiresOn ?? "")}`
    case failed:
      return one.error ?? "It could not be made"
    default:
      return "On its way. You can leave this page."
  }
}

/** One archive: how far it is, a link to it, and a button that removes it. */
const exportItem = (userId: number, one: UserExport, again: () => Promise<void>): HTMLLIElement => {
  const item = document.createElement("li")
  item.append(element("strong", `Archive of ${time(one.createdAt)}`), element("span", words(one)))
  const url = one.privateDownloadUrl
  if (url !== undefined && URL.canParse(url)) {
    const { pathname, search } = new URL(url)
    const link = element("a", "Download")
    link.href = pathname + search
    item.append(link)
  }
  const remove = element("button", one.state.id < completed ? "Give it up" : "Remove")
  remove.type = "button"
  remove.addEventListener("click", () => {
    remove.disabled = true
    void call("DELETE /api/v1/users/:userId/exports/:id", { params: { userId, id: one.id } }).then((answer) => {
      if (answer.ok || answer.status === 404) return again()
      remove.disabled = false
      item.append(element("span", failureText(answer, undefined)))
    })
  })
  item.append(remove)
  return item
}

/** Shows the archives of the user, asks for new ones, and takes those from elsewhere. */
export const showArchives = async (root: HTMLElement, userId: number): Promise<void> => {
  const part = root.querySelector<HTMLElement>("[data-archives]")
  const list = part?.querySelector<HTMLElement>("[data-exports]")
  const form = part?.querySelector<HTMLFormElement>("[data-export]")
  if (part === null || part === undefined || !list || !form) return
  const button = form.querySelector("button")!

  const show = async (): Promise<void> => {
    const answer = await call("GET /api/v1/users/:userId/exports", { params: { userId } })
    if (!answer.ok) return showStatus(form, failureText(answer, undefined), true)
    const { data } = answer.body
    list.hidden = data.length === 0
    list.replaceChildren(...data.map((one) => exportItem(userId, one, show)))
    // There is one at a time.
    button.disabled = data.some((one) => one.state.id !== failed)
    if (data.some((one) => one.state.id < completed)) setTimeout(() => void show(), lookEvery)
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (button.disabled) return
    button.disabled = true
    showStatus(form, "")
    const withVideoFiles = form.querySelector<HTMLInputElement>("[name=withVideoFiles]")!.checked
    void call("POST /api/v1/users/:userId/exports/request", { params: { userId }, body: { withVideoFiles } }).then(
      (answer) => {
        if (answer.ok) return show()
        button.disabled = false
        showStatus(form, failureText(answer, answer.detail), true)
      }
    )
  })
  enhanceImport(part, userId)
  // Most have never brought one, and are not asked about it.
  const bring = part.querySelector<HTMLDetailsElement>("[data-bring]")
  bring?.addEventListener("toggle", () => void (bring.open && showLatest(part, userId)), { once: true })
  await show()
}
