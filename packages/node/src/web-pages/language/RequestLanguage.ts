import { languageCookie, type LanguageCode, languageFor } from "@kinora/domain/i18n/Languages"
import { acceptedLanguages } from "./AcceptLanguage.ts"

const chosen = new RegExp(`(?:^|;\\s*)${languageCookie}=([A-Za-z-]{1,35})(?:;|$)`)

/**
 * The language of a page: the one that somebody chose, else the most wanted of the browser's that there are messages of, else
 * that of the instance.
 */
export const requestedLanguage = (
  cookies: string | undefined,
  accepted: string | undefined,
  ofInstance: string
): LanguageCode => {
  const cookie = chosen.exec(cookies ?? "")?.[1]
  const wanted = [...(cookie === undefined ? [] : [cookie]), ...acceptedLanguages(accepted), ofInstance]
  return wanted.map(languageFor).find((it) => it !== undefined) ?? "en"
}
