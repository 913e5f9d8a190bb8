import { type Answer, ask, json } from "../api/Answer.ts"
import { check, forgetMarks, markWrong, valuesOf } from "./Fields.ts"
import { submitLogin } from "./Login.ts"
import { failureText, showDone, showFailure, clearOutcome } from "./Outcome.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/forms.ts"

const t = pageText("forms", messages)

const showAnswer = (form: HTMLFormElement, answer: Answer): void => {
  const { done, refused } = form.dataset
  if (answer.ok) return showDone(form, done ?? t("done"))
  if (markWrong(form, answer.wrong)) return showFailure(form, t("lookAtMarked"))
  showFailure(form, failureText(answer, refused))
}

/** The same body to one path after the other; the first failure ends it. */
const sendTo = async (paths: ReadonlyArray<string>, body: unknown): Promise<Answer> => {
  const [first = "", ...rest] = paths
  const answer = await ask(first, json("POST", body))
  return answer.ok && rest.length > 0 ? await sendTo(rest, body) : answer
}

/** How forms are sent, by the kind the page names. */
const kinds: Record<string, (form: HTMLFormElement, paths: string) => Promise<void>> = {
  send: async (form, paths) => showAnswer(form, await sendTo(paths.split(" "), valuesOf(form))),
  login: submitLogin
}

/** Sends a form's fields to the API, and shows the result. Meanwhile it cannot be sent twice. */
const enhance = (form: HTMLFormElement): void => {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]")
  const submit = kinds[form.dataset["kind"] ?? ""]
  if (button === null || submit === undefined) return
  form.noValidate = true
  button.disabled = false
  forgetMarks(form)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (button.disabled) return
    clearOutcome(form)
    if (!check(form)) return
    button.disabled = true
    void submit(form, form.dataset["form"] ?? "").finally(() => {
      button.disabled = false
    })
  })
}

export const enhanceForms = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-form]")) enhance(form)
}
