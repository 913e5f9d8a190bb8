import { toSafeHtmlWithTimes } from "../platform/markdown/Markdown.ts"
import { Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"

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

const units: ReadonlyArray<readonly [seconds: number, name: Intl.RelativeTimeFormatUnit]> = [
  [31_556_952, "year"],
  [2_629_746, "month"],
  [604_800, "week"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"]
]

/** Time since an instant, in the largest unit: `3 hours ago`. Both in milliseconds since the epoch. */
export const ago = (language: PageLanguage, then: number, now: number): string => {
  const seconds = Math.max(0, (now - then) / 1000)
  const unit = units.find(([size]) => seconds >= size)
  return unit === undefined ? language.text("common")("justNow") : language.ago(Math.floor(seconds / unit[0]), unit[1])
}

/** A number of things: `No views`, `1 video`, `12K followers`. */
export const amount = (
  language: PageLanguage,
  what: "views" | "followers" | "videos" | "channels" | "playlists" | "replies",
  count: number
): string => language.text("common")(what, { count, short: language.short(count) })

const slot = "\uE000"

/** A message with markup in the place of one of its values: `withMarkup((name) => t("by", { name }), html`…`)`. */
export const withMarkup = (message: (slot: string) => string, markup: Html): Html => {
  const text = message(slot)
  const at = text.indexOf(slot)
  return at < 0 ? html`${text}` : html`${text.slice(0, at)}${markup}${text.slice(at + slot.length)}`
}

/** Text written by a user, as Markdown. Times within `duration` (seconds) become links that jump there. */
export const richText = (text: string, duration: number): Html => Html.trusted(toSafeHtmlWithTimes(text, duration))
