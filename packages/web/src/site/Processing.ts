import type { VideoProcessing } from "@kinora/domain/wire/VideoProcessing"
import { call } from "../api/Call.ts"
import { findViewer } from "../comments/Viewer.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"

const times = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

/** What went wrong with the files of a video, in words; undefined where nothing did. */
const processingText = ({ error, nextAttemptAt, state }: VideoProcessing): string | undefined => {
  const why = error === null ? "" : ` The reason: ${error}`
  if (state === "failed") return `Some or all files of this video could not be made.${why}`
  if (state !== "delayed") return undefined
  const when = nextAttemptAt === null ? "soon" : `at ${times.format(new Date(nextAttemptAt))}`
  return `The files of this video could not be made yet. The next attempt begins ${when}.${why}`
}

/** Shows the owner of a video, and moderators, that its files could not be made, and tries again at one click. */
export const showProcessing = async (title: HTMLElement, video: string, ownerId: number): Promise<void> => {
  const viewer = await findViewer()
  if (viewer === undefined || (viewer.accountId !== ownerId && !viewer.moderates)) return
  const answer = await call("GET /api/v1/videos/:id/processing", { params: { id: video } })
  const text = answer.ok ? processingText(answer.body) : undefined
  if (text === undefined) return
  const words = element("span", {}, text)
  const button = element("button", { type: "button" }, "Try again now")
  title.after(element("div", { class: "actions processing failed", role: "status" }, words, button))
  button.addEventListener("click", () => {
    button.disabled = true
    void call("POST /api/v1/videos/:id/processing/retry", { params: { id: video } }).then((retried) => {
      if (!retried.ok) {
        button.disabled = false
        words.textContent = failureText(retried, "You may not do this.")
        return
      }
      button.parentElement?.classList.remove("failed")
      words.textContent = "The files of this video are being made again."
      button.remove()
    })
  })
}
