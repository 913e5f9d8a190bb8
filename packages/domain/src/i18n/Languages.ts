/** Languages there are messages of, by their own names. */
export const languages = [
  ["en", "English"],
  ["fr", "Français"]
] as const

export type LanguageCode = (typeof languages)[number][0]

/** The cookie of the language that somebody chose (contract: client-config). Scripts read and write it, too. */
export const languageCookie = "clientLanguage"

/** How long a choice holds, in seconds. */
export const languageKept = 365 * 86_400

/** The language there are messages of for a language tag (RFC 5646): `fr-CA` is read in `fr`. */
export const languageFor = (tag: string): LanguageCode | undefined => {
  const [primary] = tag.trim().toLowerCase().split(/[-_]/, 1)
  return languages.find(([code]) => code === primary)?.[0]
}

/** Languages that are written from right to left. */
const rightToLeft: ReadonlySet<string> = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"])

/** The direction of a language, as the attribute `dir` has it. */
export const directionOf = (code: string): "ltr" | "rtl" =>
  rightToLeft.has(code.toLowerCase().split(/[-_]/, 1)[0]!) ? "rtl" : "ltr"
