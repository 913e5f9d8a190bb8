import type { Answer } from "../api/Answer.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/outcome.ts"

const t = pageText("outcome", messages)

const outcome = (form: HTMLFormElement): HTMLElement | null => form.querySelector<HTMLElement>(".outcome")

/** Says what went wrong, where screen readers hear it. */
export const showFailure = (form: HTMLFormElement, text: string): void => {
  const place = outcome(form)
  if (place === null) return
  place.classList.add("failed")
  place.textContent = text
  if (!form.contains(document.activeElement) || document.activeElement?.tagName === "BUTTON") place.focus()
}

export const clearOutcome = (form: HTMLFormElement): void => {
  const place = outcome(form)
  if (place === null) return
  place.classList.remove("failed")
  place.textContent = ""
}

/** The form has done its work: its words take its place, and the secret leaves the address. */
export const showDone = (form: HTMLFormElement, text: string): void => {
  history.replaceState(null, "", location.pathname)
  const place = document.createElement("p")
  place.className = "outcome done"
  place.setAttribute("role", "status")
  place.tabIndex = -1
  place.textContent = text
  const after = document.querySelector<HTMLElement>(".after")
  if (after !== null) after.hidden = false
  for (const below of document.querySelectorAll(".below")) below.remove()
  form.replaceWith(place)
  place.focus()
}

/** A failure in words. `refused` is what the page says when the server refuses (403) or knows nothing of it (404). */
export const failureText = (answer: Answer, refused: string | undefined): string => {
  if (answer.status === 0) return t("offline")
  if (answer.status === 429) return t("tooOften")
  if (answer.status >= 500) return t("busy")
  if (refused !== undefined && (answer.status === 403 || answer.status === 404)) return refused
  return answer.detail ?? t("failed")
}
