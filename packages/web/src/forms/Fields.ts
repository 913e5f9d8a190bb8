import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/forms.ts"

const t = pageText("forms", messages)
type Control = HTMLInputElement | HTMLTextAreaElement

const controlsOf = (form: HTMLFormElement): ReadonlyArray<Control> =>
  Array.from(form.querySelectorAll<Control>("input[name], textarea[name]"))

const control = (form: HTMLFormElement, name: string): Control | undefined =>
  controlsOf(form).find((it) => it.name === name)

/** What is wrong with what was typed, as far as it can be known here; "" when nothing is. */
const problemOf = (form: HTMLFormElement, it: Control): string => {
  it.setCustomValidity("")
  const { max, maxBytes, same } = it.dataset
  if (same !== undefined && control(form, same)?.value !== it.value) return t("notSame")
  if (max !== undefined && Array.from(it.value).length > Number(max)) return t("tooLong")
  if (maxBytes !== undefined && new TextEncoder().encode(it.value).length > Number(maxBytes)) return t("tooLong")
  return it.checkValidity() ? "" : it.validationMessage
}

/** Says below a field what is wrong with it, or takes that back. */
const mark = (it: Control, problem: string): void => {
  const id = `${it.id}-wrong`
  const shown = document.getElementById(id)
  if (problem === "") {
    it.removeAttribute("aria-invalid")
    it.removeAttribute("aria-errormessage")
    shown?.remove()
    return
  }
  const place = shown ?? document.createElement("span")
  place.id = id
  place.className = "wrong"
  place.textContent = problem
  it.setAttribute("aria-invalid", "true")
  it.setAttribute("aria-errormessage", id)
  if (shown === null) it.closest(".field")?.append(place)
}

/** Marks what is wrong and goes to the first of it; whether everything is right. */
export const check = (form: HTMLFormElement): boolean => {
  const wrong = controlsOf(form).filter((it) => {
    const problem = problemOf(form, it)
    mark(it, problem)
    return problem !== ""
  })
  wrong[0]?.focus()
  return wrong.length === 0
}

/** Marks the fields that the server names; whether there is one of them in the form. */
export const markWrong = (
  form: HTMLFormElement,
  wrong: ReadonlyArray<{ readonly name: string; readonly reason: string }>
): boolean => {
  const known = wrong.flatMap(({ name, reason }) => {
    const it = control(form, name)
    if (it === undefined || it.type === "hidden") return []
    mark(it, reason)
    return [it]
  })
  known[0]?.focus()
  return known.length > 0
}

const isSent = ({ dataset }: Control): boolean => dataset["same"] === undefined && dataset["unsent"] === undefined

/** What is sent: every field but those that only repeat another, or are asked for here alone. */
export const valuesOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    controlsOf(form)
      .filter(isSent)
      .map((it) => [it.name, it.value])
  )

/** A mark below a field goes when the field is changed. */
export const forgetMarks = (form: HTMLFormElement): void => {
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) mark(target, "")
  })
}
