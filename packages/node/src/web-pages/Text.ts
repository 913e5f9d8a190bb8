import { toSafeHtmlWithTimes } from "../platform/markdown/Markdown.ts"
import { Html } from "../platform/html/Html.ts"

const pad = (n: number) => String(n).padStart(2, "0")

/** `0:07`, `12:34`, `1:02:03`. */
export const clock = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = pad(Math.floor(seconds % 60))
  return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** ISO 8601 duration, as schema.org requires. */
export const isoDuration = (seconds: number): string =>
  `PT${Math.floor(seconds / 3600)}H${Math.floor((seconds % 3600) / 60)}M${Math.floor(seconds % 60)}S`

const units: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [31_556_952, "year"],
  [2_629_746, "month"],
  [604_800, "week"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"]
]

/** Time since an instant, in the largest unit: `3 hours ago`. Both in milliseconds since the epoch. */
export const ago = (then: number, now: number): string => {
  const seconds = Math.max(0, (now - then) / 1000)
  const unit = units.find(([size]) => seconds >= size)
  if (unit === undefined) return "just now"
  const count = Math.floor(seconds / unit[0])
  return `${count} ${unit[1]}${count === 1 ? "" : "s"} ago`
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })

/** `no views`, `1 view`, `12K views`. */
export const views = (count: number): string =>
  count === 0 ? "No views" : `${compact.format(count)} view${count === 1 ? "" : "s"}`

/** `1 video`, `2 videos`, `2.3K videos`. */
export const amount = (count: number, one: string, many: string): string =>
  `${compact.format(count)} ${count === 1 ? one : many}`

const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" })

/** `21 Nov 2026` in English, UTC. */
export const date = (iso: string): string => day.format(Date.parse(iso))

/** Text written by a user, as Markdown. Times within `duration` (seconds) become links that jump there. */
export const richText = (text: string, duration: number): Html => Html.trusted(toSafeHtmlWithTimes(text, duration))
