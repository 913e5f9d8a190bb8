import type { AbuseReasonName } from "@kinora/domain/enums/AbuseReason"
import { call } from "../api/Call.ts"
import type { Answer } from "../api/Answer.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { formatClock, parseTime } from "../player/Time.ts"
import { openDialog } from "./OpenDialog.ts"
import { around, pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/dialogs.ts"

const t = pageText("dialogs", messages)

/** What is reported. `at`: seconds at which the viewer is. */
export type Reported =
  | { readonly kind: "video"; readonly id: string; readonly title: string; readonly at: number }
  | { readonly kind: "account"; readonly id: number; readonly title: string }

const reasons = [
  "violentOrRepulsive",
  "hatefulOrAbusive",
  "spamOrMisleading",
  "privacy",
  "rights",
  "serverRules",
  "thumbnails",
  "captions"
] as const satisfies ReadonlyArray<AbuseReasonName>

type Reason = AbuseReasonName

const send = (
  reported: Reported,
  reason: string,
  predefinedReasons: ReadonlyArray<Reason>,
  startAt: number | undefined
): Promise<Answer> =>
  call("POST /api/v1/abuses", {
    body: {
      reason,
      predefinedReasons: [...predefinedReasons],
      ...(reported.kind === "video"
        ? { video: { id: reported.id, ...(startAt === undefined ? {} : { startAt }) } }
        : { account: { id: reported.id } })
    }
  })

/** Asks what is wrong with a video or an account, and reports it to the moderators. */
export const openReportDialog = (reported: Reported): void => {
  const isOfVideo = (reason: Reason) => reason === "thumbnails" || reason === "captions"
  const boxes = reasons
    .filter((reason) => reported.kind === "video" || !isOfVideo(reason))
    .map((reason) => ({
      reason,
      label: t("reason", { reason }),
      input: element("input", { type: "checkbox", value: reason })
    }))
  const text = element("textarea", { id: "report-text", rows: 4, required: true, minlength: 2, maxlength: 3_000 })
  const time = element("input", {
    type: "text",
    class: "sheet-time",
    "aria-label": t("moment"),
    value: reported.kind === "video" ? formatClock(reported.at) : ""
  })
  const outcome = element("p", { class: "outcome", role: "status", "aria-live": "polite" })
  const button = element("button", { type: "submit", class: "button" }, t("report"))
  const form = element(
    "form",
    {},
    element("p", { class: "sheet-about", dir: "auto" }, reported.title),
    element(
      "fieldset",
      { class: "sheet-checks" },
      element("legend", {}, t("whatIsWrong")),
      ...boxes.map((it) => element("label", { class: "sheet-check" }, it.input, it.label))
    ),
    ...(reported.kind === "video"
      ? [
          element(
            "label",
            { class: "sheet-check" },
            around((time) => t("at", { time }), time)
          )
        ]
      : []),
    element("label", { for: "report-text", class: "sheet-label" }, t("forModerators")),
    text,
    outcome,
    button
  )
  const dialog = openDialog(t("report"), form)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    button.disabled = true
    const chosen = boxes.filter((it) => it.input.checked).map((it) => it.reason)
    const seconds = parseTime(time.value.trim())
    void send(reported, text.value, chosen, seconds === undefined ? undefined : Math.floor(seconds)).then((answer) => {
      button.disabled = false
      outcome.classList.toggle("failed", !answer.ok)
      if (!answer.ok) {
        outcome.textContent = answer.wrong[0]?.reason ?? failureText(answer, undefined)
        return
      }
      const done = element("p", { role: "status", tabindex: -1 }, t("reported"))
      form.replaceWith(done)
      done.focus()
    })
  })
  dialog.querySelector<HTMLInputElement>("input")?.focus()
}
