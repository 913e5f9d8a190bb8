import type { Answer } from "../api/Answer.ts"

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
  if (answer.status === 0) return "The server cannot be reached. Is there a connection? Please try again."
  if (answer.status === 429) return "That was too often. Please wait a few minutes and try again."
  if (answer.status >= 500) return "The server is busy right now. Please try again in a moment."
  if (refused !== undefined && (answer.status === 403 || answer.status === 404)) return refused
  return answer.detail ?? "This did not work."
}
