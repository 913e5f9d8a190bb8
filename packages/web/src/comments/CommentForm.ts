import type { Answer } from "../api/Answer.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { around, pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/comments.ts"

const t = pageText("comments", messages)

export interface CommentForm {
  readonly form: HTMLFormElement
  readonly focus: () => void
}

const longest = 10_000
let forms = 0

/** A place to write. `button` sends. `send` answers what went wrong, or undefined; `cancel` is there for replies. */
export const createCommentForm = (
  label: string,
  button: string,
  send: (text: string) => Promise<Answer | undefined>,
  cancel?: () => void
): CommentForm => {
  const id = `comment-field-${++forms}`
  const field = element("textarea", { id, rows: 3, required: true, maxlength: longest, dir: "auto" })
  const outcome = element("p", { class: "outcome", role: "status", "aria-live": "polite" })
  const submit = element("button", { type: "submit", class: "button" }, button)
  const buttons = element("p", { class: "comment-send" }, submit)
  if (cancel !== undefined) {
    const leave = element("button", { type: "button", class: "plain-button" }, t("cancel"))
    leave.addEventListener("click", cancel)
    buttons.append(leave)
  }
  const form = element("form", { class: "comment-form" }, element("label", { for: id }, label), field, outcome, buttons)

  const showStatus = (text: string) => {
    outcome.classList.toggle("failed", text !== "")
    outcome.textContent = text
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const text = field.value
    if (text.trim() === "") {
      showStatus(t("empty"))
      field.focus()
      return
    }
    showStatus("")
    submit.disabled = true
    form.setAttribute("aria-busy", "true")
    void send(text)
      .then((answer) => {
        if (answer === undefined) field.value = ""
        else showStatus(answer.wrong[0]?.reason ?? failureText(answer, undefined))
      })
      .finally(() => {
        submit.disabled = false
        form.removeAttribute("aria-busy")
      })
  })
  return { form, focus: () => field.focus() }
}

/** In place of a form, for who is not logged in. */
export const loginHint = (): HTMLElement =>
  element(
    "p",
    { class: "comment-notice" },
    around((link) => t("toComment", { link }), element("a", { href: "/login" }, t("logIn")))
  )
