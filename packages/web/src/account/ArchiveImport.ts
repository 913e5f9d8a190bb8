import type { UserImportResultSummary } from "@kinora/domain/wire/UserArchive"
import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { type Progress, sendArchive } from "./ArchiveUpload.ts"
import { bytes, element, showStatus, time } from "./Parts.ts"

const lookEvery = 3000

type Stats = UserImportResultSummary["stats"]

const titles: ReadonlyArray<readonly [section: keyof Stats, title: string]> = [
  ["account", "Profile"],
  ["userSettings", "Settings"],
  ["channels", "Channels"],
  ["blocklist", "Blocked accounts and instances"],
  ["videos", "Videos"],
  ["videoPlaylists", "Playlists"],
  ["following", "Subscriptions"],
  ["likes", "Likes"],
  ["dislikes", "Dislikes"],
  ["userVideoHistory", "History"]
]

const columns = ["success", "duplicates", "errors"] as const

/** What became of each section of which there was something. */
const resultTable = (stats: Stats | undefined): HTMLTableElement => {
  const table = document.createElement("table")
  const head = table.createTHead().insertRow()
  for (const title of ["", "New", "There before", "Failed"]) {
    const cell = element("th", title)
    if (title === "") cell.ariaLabel = "What"
    cell.scope = "col"
    head.append(cell)
  }
  const body = table.createTBody()
  for (const [section, title] of titles) {
    const counts = columns.map((column) => stats?.[section]?.[column] ?? 0)
    if (counts.every((count) => count === 0)) continue
    const row = body.insertRow()
    const name = element("th", title)
    name.scope = "row"
    row.append(name, ...counts.map((count) => element("td", String(count))))
  }
  return table
}

/** Shows the last import, and looks again as long as it is on its way. */
export const showLatest = async (part: HTMLElement, userId: number): Promise<void> => {
  const place = part.querySelector<HTMLElement>("[data-import-result]")
  const button = part.querySelector<HTMLButtonElement>("[data-import] [type=submit]")
  const answer = await call("GET /api/v1/users/:userId/imports/latest", { params: { userId } })
  if (place === null || !answer.ok) return
  const at = time(answer.body.createdAt)
  const state = answer.body.state.id
  if (button !== null) button.disabled = state < 3
  const said = (text: string) => element("p", text)
  if (state === 4) return place.replaceChildren(said(`The import of ${at} failed. ${answer.body.error ?? ""}`))
  const table = resultTable(answer.body.resultSummary?.stats)
  if (state === 3) return place.replaceChildren(said(`The import of ${at} is done.`), table)
  place.replaceChildren(said(`The import of ${at} is on its way. You can leave this page.`), table)
  setTimeout(() => void showLatest(part, userId), lookEvery)
}

/** Sends the chosen archive, shows progress, and lets the user cancel. */
export const enhanceImport = (part: HTMLElement, userId: number): void => {
  const form = part.querySelector<HTMLFormElement>("[data-import]")
  const input = form?.querySelector<HTMLInputElement>("[type=file]")
  const bar = form?.querySelector("progress")
  const cancel = form?.querySelector<HTMLButtonElement>("[data-cancel]")
  const button = form?.querySelector<HTMLButtonElement>("[type=submit]")
  if (!form || !input || !bar || !cancel || !button) return
  let sending: AbortController | undefined

  const busy = (is: boolean): void => {
    button.disabled = is
    input.disabled = is
    bar.hidden = !is
    cancel.hidden = !is
  }

  const progress: Progress = (sent, total) => {
    bar.max = total
    bar.value = sent
    showStatus(form, `${bytes(sent)} of ${bytes(total)} sent`)
  }

  cancel.addEventListener("click", () => sending?.abort())
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const file = input.files?.[0]
    if (file === undefined || sending !== undefined) return
    sending = new AbortController()
    busy(true)
    void sendArchive(userId, file, progress, sending.signal).then((outcome) => {
      sending = undefined
      busy(false)
      if (outcome === "cancelled") return showStatus(form, "Cancelled. Nothing was imported.")
      if (!outcome.ok) return showStatus(form, failureText(outcome, outcome.detail), true)
      showStatus(form, "")
      form.reset()
      return showLatest(part, userId)
    })
  })
}
