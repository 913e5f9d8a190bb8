import { hasRight, type UserRight } from "@kinora/domain/enums/UserRight"
import { userRoles } from "@kinora/domain/enums/UserRole"
import { signal } from "@preact/signals"
import { call } from "../api/Call.ts"
import type { Output } from "../api/Endpoints.ts"
import { isLanguageChosen } from "../i18n/ChosenLanguage.ts"
import { useLanguage } from "../i18n/Text.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { isLeaving } from "./Session.ts"

export type Me = Output<"GET /api/v1/users/me">

/** The user who is logged in; undefined until it is known. */
export const me = signal<Me | undefined>(undefined)

/** To the page where one logs in, and back to this one afterwards. */
const goToLogin = (): void => {
  if (isLeaving()) return
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}

/** Asks who is logged in. Nobody: the browser is on its way to the login page. */
export const loadMe = async (): Promise<"known" | "login" | "failed"> => {
  const answer = isLoggedIn() ? await call("GET /api/v1/users/me") : undefined
  if (answer === undefined || answer.status === 401) {
    goToLogin()
    return "login"
  }
  if (!answer.ok) return "failed"
  me.value = answer.body
  // Everybody's setting is English until they change it: then what the browser asks for counts. A choice made here comes first.
  if (answer.body.language !== "en" && !isLanguageChosen()) await useLanguage(answer.body.language)
  return "known"
}

/** Whether the user has a right; nobody has any before it is known who it is. */
export const mayUse = (right: UserRight | undefined): boolean => {
  const role = userRoles.find((it) => it === me.value?.role.id)
  return right === undefined || (role !== undefined && hasRight(role, right))
}
