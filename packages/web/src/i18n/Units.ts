import { currentLanguage } from "./Text.ts"

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

/** A number as people write it, short from a thousand up where `short`. */
export const number = (value: number, short = false): string =>
  new Intl.NumberFormat(currentLanguage(), short ? { notation: "compact", maximumFractionDigits: 1 } : {}).format(value)

export const percent = (part: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 0 }).format(part)

/** A day, as `21 Nov 2026`. */
export const day = (iso: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium" }).format(new Date(iso))

/** A day and a time. */
export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso))

/** A day and a time with its seconds. */
export const precisely = (iso: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "short", timeStyle: "medium" }).format(new Date(iso))

/** Length of a video: `0:07`, `12:34`, `1:02:03`. */
export const clock = (seconds: number): string => {
  const two = (it: number) => String(it).padStart(2, "0")
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(Math.floor(seconds) % 60)}`
    : `${minutes}:${two(Math.floor(seconds) % 60)}`
}
