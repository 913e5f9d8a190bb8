import type { ValuesOf } from "@kinora/domain/i18n/Arguments"
import { directionOf, type LanguageCode } from "@kinora/domain/i18n/Languages"
import { sayIn } from "@kinora/domain/i18n/Say"
import { english } from "../messages/en/English.ts"
import { french } from "../messages/fr/French.ts"

/** Parts of the pages, each with a file of messages for each language. */
export type Area = keyof typeof english
type MessagesOf<A extends Area> = (typeof english)[A]

/** The texts of an area in a language. */
export type Say<A extends Area> = <K extends keyof MessagesOf<A> & string>(
  key: K,
  ...values: ValuesOf<MessagesOf<A>[K] & string>
) => string

/** A language that pages are written in. */
export interface PageLanguage {
  readonly code: LanguageCode
  readonly direction: "ltr" | "rtl"
  /** `const t = language.text("watch")`, then `t("views", { count: 3 })`. */
  text<A extends Area>(area: A): Say<A>
  /** A number in few digits: `12K`. */
  short(count: number): string
  /** A day, in UTC. */
  day(iso: string): string
  /** A day and its time, in UTC, which is said. */
  moment(at: number): string
  /** `3 hours ago`. */
  ago(count: number, unit: Intl.RelativeTimeFormatUnit): string
  /** Order of words. */
  compare(one: string, other: string): number
  /** The name of another language; undefined where it has none. */
  languageName(tag: string): string | undefined
}

type Texts = Readonly<Record<Area, Readonly<Record<string, string>>>>
const texts: Readonly<Record<LanguageCode, Texts>> = { en: english, fr: french }

/** What `Intl` has of a language, made when it is first wanted: each part reads its data. */
const once = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}

const languageOf = (code: LanguageCode): PageLanguage => {
  const areas = new Map<Area, unknown>()
  const short = once(() => new Intl.NumberFormat(code, { notation: "compact", maximumFractionDigits: 1 }))
  const day = once(() => new Intl.DateTimeFormat(code, { dateStyle: "medium", timeZone: "UTC" }))
  const moment = once(
    () =>
      new Intl.DateTimeFormat(code, {
        weekday: "long",
        day: "numeric",
        month: "long",
        hour: "numeric",
        minute: "2-digit",
        timeZone: "UTC",
        timeZoneName: "short"
      })
  )
  const ago = once(() => new Intl.RelativeTimeFormat(code))
  const order = once(() => new Intl.Collator(code))
  const names = once(() => new Intl.DisplayNames(code, { type: "language", fallback: "none" }))
  return {
    code,
    direction: directionOf(code),
    text: <A extends Area>(area: A): Say<A> => {
      const known =
        areas.get(area) ?? sayIn<MessagesOf<A>>(code, texts[code][area] as { [K in keyof MessagesOf<A>]: string })
      areas.set(area, known)
      return known as Say<A>
    },
    short: (count) => short().format(count),
    day: (iso) => day().format(Date.parse(iso)),
    moment: (at) => moment().format(at),
    ago: (count, unit) => ago().format(-count, unit),
    compare: (one, other) => order().compare(one, other),
    languageName: (tag) => {
      try {
        return names().of(tag)
      } catch {
        // Some languages of videos have codes of their own.
        return undefined
      }
    }
  }
}

const made = new Map<LanguageCode, PageLanguage>()

/** The language with this code. */
export const pageLanguage = (code: LanguageCode): PageLanguage => {
  const known = made.get(code) ?? languageOf(code)
  made.set(code, known)
  return known
}
