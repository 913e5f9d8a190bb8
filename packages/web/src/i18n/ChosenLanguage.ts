import { directionOf, languageCookie, languageKept } from "@kinora/domain/i18n/Languages"

/** Whether somebody chose a language in this browser. */
export const isLanguageChosen = (): boolean => new RegExp(`(?:^|; )${languageCookie}=\\w`).test(document.cookie)

/** Keeps a choice, for every page, and turns this one. */
export const keepLanguage = (code: string): void => {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  document.cookie = `${languageCookie}=${code}; Path=/; Max-Age=${languageKept}; SameSite=Lax${secure}`
  document.documentElement.lang = code
  document.documentElement.dir = directionOf(code)
}
