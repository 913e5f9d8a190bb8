import { numeral } from "@kinora/domain/i18n/Format"
import { currentLanguage } from "./Text.ts"

/** Making a formatter takes a browser longer than a hundred uses of it: each is made once a language. */
const once = <A>(make: (language: string) => A): (() => A) => {
  const made = new Map<string, A>()
  return () => {
    const language = currentLanguage()
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

const dates = (options: Intl.DateTimeFormatOptions) => {
  const formatter = once((language) => new Intl.DateTimeFormat(language, options))
  return (iso: string): string => formatter().format(new Date(iso))
}

const numbers = (options: Intl.NumberFormatOptions) => {
  const formatter = once((language) => new Intl.NumberFormat(language, options))
  return (value: number): string => formatter().format(value)
}

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

/** Bytes in words, as `12.3 MB`. */
export const bytes = (count: number): string => {
  let at = 0
  let left = count
  while (left >= 1000 && at < sizes.length - 1) {
    left /= 1000
    at++
  }
  return new Intl.NumberFormat(currentLanguage(), {
    style: "unit",
    unit: sizes[at] ?? "byte",
    // The short form of bytes has no plural.
    unitDisplay: at === 0 ? "long" : "short",
    maximumFractionDigits: at === 0 || left >= 100 ? 0 : 1
  }).format(left)
}

/** The unit in which values up to `most` bytes are read best, and how many bytes it has. */
export const byteUnit = (most: number): { readonly name: string; readonly size: number } => {
  const at = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, most)) / 3)))
  const unit = new Intl.NumberFormat(currentLanguage(), {
    style: "unit",
    unit: sizes[at] ?? "byte",
    unitDisplay: "short"
  })
  const name = unit.formatToParts(1).find((it) => it.type === "unit")?.value ?? ""
  return { name, size: 1000 ** at }
}

const short = numbers({ notation: "compact", maximumFractionDigits: 1 })

/** A number as people write it, short from a thousand up where `isShort`. */
export const number = (value: number, isShort = false): string =>
  isShort ? short(value) : numeral(value, currentLanguage())

/** A part of one, in percent. */
export const percent = numbers({ style: "percent", maximumFractionDigits: 0 })

/** A day, as `21 Nov 2026`. */
export const day = dates({ dateStyle: "medium" })

/** A day and a time. */
export const moment = dates({ dateStyle: "medium", timeStyle: "short" })

/** A day and a time with its seconds. */
export const precisely = dates({ dateStyle: "short", timeStyle: "medium" })

/**
 * The first date or long number takes a browser ten times as long as drawing a page, for it looks through the languages it knows. A page
 * that will show some does it while it waits for them.
 */
export const prepareDates = (): void => {
  setTimeout(() => day(new Date().toISOString()))
}

/** Length of a video: `0:07`, `12:34`, `1:02:03`. */
export const clock = (seconds: number): string => {
  const two = (it: number) => String(it).padStart(2, "0")
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(Math.floor(seconds) % 60)}`
    : `${minutes}:${two(Math.floor(seconds) % 60)}`
}
