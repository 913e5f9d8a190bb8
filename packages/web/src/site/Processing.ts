import type { VideoProcessing } from "@kinora/domain/wire/VideoProcessing"
import { call } from "../api/Call.ts"
import { findViewer } from "../comments/Viewer.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { documentLanguage } from "../i18n/DocumentLanguage.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/processing.ts"

const t = pageText("processing", messages)

const moment = (iso: string): string =>
  new Intl.DateTimeFormat(documentLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso))

/** What went wrong with the files of a video, in words; undefined where nothing did. */
const processingText = ({ error, nextAttemptAt, state }: VideoProcessing): string | undefined => {
  const why = error === null ? "" : ` ${t("reason", { error })}`
  if (state === "failed") return t("failed") + why
  if (state !== "delayed") return undefined
  return (nextAttemptAt === null ? t("delayedSoon") : t("delayed", { when: moment(nextAttemptAt) })) + why
}

/** Shows the owner of a video, and moderators, that its files could not be made, and tries again at one click. */
export const showProcessing = async (title: HTMLElement, video: string, ownerId: number): Promise<void> => {
  const viewer = await findViewer()
  if (viewer === undefined || (viewer.accountId !== ownerId && !viewer.moderates)) return
  const answer = await call("GET /api/v1/videos/:id/processing", { params: { id: video } })
  const text = answer.ok ? processingText(answer.body) : undefined
  if (text === undefined) return
  const words = element("span", {}, text)
  const button = element("button", { type: "button" }, t("tryAgain"))
  title.after(element("div", { class: "actions processing failed", role: "status" }, words, button))
  button.addEventListener("click", () => {
    button.disabled = true
    void call("POST /api/v1/videos/:id/processing/retry", { params: { id: video } }).then((retried) => {
      if (!retried.ok) {
        button.disabled = false
        words.textContent = failureText(retried, t("refused"))
        return
      }
      button.parentElement?.classList.remove("failed")
      words.textContent = t("again")
      button.remove()
    })
  })
}
