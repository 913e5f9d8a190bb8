import { isLoggedIn } from "../api/StoredSession.ts"
import { login } from "../session/Session.ts"
import { valuesOf } from "./Fields.ts"
import { failureText, showFailure } from "./Outcome.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/forms.ts"

const t = pageText("forms", messages)

const codeField = (form: HTMLFormElement): HTMLInputElement | null => form.querySelector("input[name=code]")

/** Asks for the one-time code: only who has two factors sees the field. */
const askForCode = (form: HTMLFormElement): void => {
  const field = codeField(form)
  if (field === null) return
  field.required = true
  field.closest<HTMLElement>(".field")!.hidden = false
  field.focus()
}

/** Where the person came from: a path of this site alone, whatever the address says. */
export const nextAfterLogin = (search: string, origin: string): string => {
  const next = URL.parse(new URLSearchParams(search).get("next") ?? "", origin)
  return next === null || next.origin !== origin ? "/" : next.pathname + next.search
}

/** Logs in and goes to where the person came from. */
export const submitLogin = async (form: HTMLFormElement): Promise<void> => {
  const { code = "", password = "", username = "" } = valuesOf(form)
  const answer = await login(username, password, code.trim())
  if (answer.ok) {
    if (isLoggedIn()) return location.assign(nextAfterLogin(location.search, location.origin))
    return showFailure(form, t("nothingKept"))
  }
  if (answer.code === "missing_two_factor") {
    showFailure(form, t("codeNeeded"))
    return askForCode(form)
  }
  // What the API says is English.
  showFailure(form, t("refused", { code: answer.code ?? "" }) || failureText(answer, undefined))
  if (answer.code === "invalid_two_factor") codeField(form)?.select()
}
