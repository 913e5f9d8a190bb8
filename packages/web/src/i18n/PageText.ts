import type { ValuesOf } from "@kinora/domain/i18n/Arguments"
import { format, type Message, type Values } from "@kinora/domain/i18n/Format"
import type { LanguageCode } from "@kinora/domain/i18n/Languages"
import type { pages as french } from "../messages/fr/FrenchPages.ts"
import { documentLanguage } from "./DocumentLanguage.ts"

/** Parts of the public pages that have messages. */
type Area = keyof typeof french

type Pages = Readonly<Record<string, Readonly<Record<string, Message>>>>

/** English is built into the scripts. Another language is one file for all of them. */
const loaders: Readonly<Record<Exclude<LanguageCode, "en">, () => Promise<{ readonly pages: Pages }>>> = {
  fr: () => import("../messages/fr/FrenchPages.ts")
}

let translated: Pages = {}

/** Loads the language of the page. Without it, and where it lacks something, a text is English. */
export const loadPageLanguage = async (): Promise<void> => {
  const load = loaders[documentLanguage() as keyof typeof loaders]
  if (load === undefined) return
  try {
    translated = (await load()).pages
  } catch {
    // The page works in English, too.
  }
}

/**
 * The texts of an area of the public pages: `const t = pageText("comments", messages)`, then `t("replies", { count: 3 })`. Not at
 * the top of a module: the language is not there yet.
 */
export const pageText =
  <const M extends Readonly<Record<string, string>>>(area: Area, messages: M) =>
  <K extends keyof M & string>(key: K, ...[values = {}]: ValuesOf<M[K]>): string =>
    format(translated[area]?.[key] ?? messages[key]!, values as Values, documentLanguage())

/** A text with an element in the place of one of its values. */
export const around = (text: (slot: string) => string, node: Node): DocumentFragment => {
  const [before = "", after = ""] = text("\uE000").split("\uE000")
  const made = document.createDocumentFragment()
  made.append(before, node, after)
  return made
}
