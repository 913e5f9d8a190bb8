import { type LanguageCode, languageFor } from "@kinora/domain/i18n/Languages"
import { signal } from "@preact/signals"
import { english } from "../messages/en/English.ts"
import { french } from "../messages/fr/French.ts"
import type { ValuesOf } from "@kinora/domain/i18n/Arguments"
import { keepLanguage } from "./ChosenLanguage.ts"
import { documentLanguage } from "./DocumentLanguage.ts"
import { format, type Message, type Values } from "@kinora/domain/i18n/Format"

/** Parts of the pages whose messages are loaded together. */
export type Area = keyof typeof english
type MessagesOf<A extends Area> = Awaited<ReturnType<(typeof english)[A]>>["messages"]

type Loaded = Readonly<Record<string, Message>>
type Loaders = Readonly<Record<string, (() => Promise<{ readonly messages: Loaded }>) | undefined>>

const loaders: Readonly<Record<LanguageCode, Loaders>> = { en: english, fr: french }

const language = signal<LanguageCode>(languageFor(documentLanguage()) ?? "en")
const loaded = signal<ReadonlyMap<Area, Loaded>>(new Map())

/** The language of the pages, for dates and numbers as well. */
export const currentLanguage = (): string => language.value

/** Loads the messages of an area; what a language lacks stays English. */
export const loadMessages = async (area: Area): Promise<void> => {
  if (loaded.peek().has(area)) return
  const own = loaders[language.peek()][area]
  const [base, translated] = await Promise.all([english[area](), own === undefined ? undefined : own()])
  loaded.value = new Map([...loaded.peek(), [area, { ...base.messages, ...translated?.messages }]])
}

/** Takes another language, and loads what is on the page in it. */
export const useLanguage = async (wanted: string): Promise<void> => {
  const code = languageFor(wanted)
  if (code === undefined) return
  keepLanguage(code)
  if (code === language.peek()) return
  language.value = code
  const areas = [...loaded.peek().keys()]
  const texts = await Promise.all(
    areas.map(async (area) => {
      const own = loaders[code][area]
      return [
        area,
        { ...(await english[area]()).messages, ...(own === undefined ? {} : (await own()).messages) }
      ] as const
    })
  )
  loaded.value = new Map(texts)
}

/** The texts of an area: `const t = text("upload")`, then `t("left", { count: 3 })`. A component that calls it follows the language. */
export const text =
  <A extends Area>(area: A) =>
  <K extends keyof MessagesOf<A> & string>(key: K, ...[values = {}]: ValuesOf<MessagesOf<A>[K] & string>): string => {
    const message = loaded.value.get(area)?.[key]
    // A key in the page is a defect that is seen; a page that does not come at all would be worse.
    return message === undefined ? key : format(message, values as Values, language.value)
  }
