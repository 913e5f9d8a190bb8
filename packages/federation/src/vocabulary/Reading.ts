import { hasPlainHost } from "./PlainHost.ts"
import { isObject, type Json } from "./Json.ts"

/**
 * Reads members of remote objects one at a time: a member that is missing or is not what it should be reads as nothing,
 * and makes nothing of the rest wrong. What an object cannot do without is for its decoder to say.
 */

export const listOf = (value: Json | undefined): ReadonlyArray<Json> =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as ReadonlyArray<Json>) : [value]

/** Text without surrounding space, cut at so many characters; null when there is none. */
export const textOf = (value: Json | undefined, max: number): string | null => {
  if (typeof value !== "string") return null
  const text = value.trim()
  if (text === "") return null
  return text.length <= max ? text : text.slice(0, max).toWellFormed()
}

/** The id something is referred to by, whether alone or as an object. */
export const identifierOf = (value: Json | undefined): string | null => {
  const id = isObject(value) ? value["id"] : value
  return typeof id === "string" && id !== "" ? id : null
}

/** The ids of a list, or of one. */
export const identifiersOf = (value: Json | undefined): ReadonlyArray<string> =>
  listOf(value).flatMap((it) => identifierOf(it) ?? [])

export const numberOf = (value: Json | undefined): number | null => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : null
}

/** A whole number from `min` to `max`, rounded down, or null. */
export const integerOf = (value: Json | undefined, min: number, max: number): number | null => {
  const number = numberOf(value)
  if (number === null) return null
  const whole = Math.floor(number)
  return whole >= min && whole <= max ? whole : null
}

export const booleanOf = (value: Json | undefined): boolean | null =>
  typeof value === "boolean" ? value : value === "true" ? true : value === "false" ? false : null

/** Years that PostgreSQL and readers can make something of. */
const earliest = Date.UTC(1, 0, 1)
const latest = Date.UTC(9999, 11, 31)

/** A date and time as ISO text in UTC, or null. */
export const timeOf = (value: Json | undefined): string | null => {
  if (typeof value !== "string" || value.length > 64) return null
  const millis = Date.parse(value)
  return Number.isNaN(millis) || millis < earliest || millis > latest ? null : new Date(millis).toISOString()
}

const isoDuration = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?$/

/** Whole seconds of an ISO 8601 duration such as `PT5S`, or null. */
export const secondsOf = (value: Json | undefined): number | null => {
  const match = typeof value === "string" && value.length <= 40 ? isoDuration.exec(value) : null
  if (match === null) return null
  const [days, hours, minutes, seconds] = [1, 2, 3, 4].map((group) => Number(match[group] ?? 0))
  return Math.min(((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!, 0x7f_ff_ff_ff)
}

/** An http or https address, written as URLs are serialised; null for anything else or anything longer than 2,000 characters. */
export const addressOf = (value: Json | undefined): string | null => {
  if (typeof value !== "string" || value.length > 2_000) return null
  const url = URL.parse(value)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null
  if (url.username !== "" || url.password !== "" || !hasPlainHost(url)) return null
  // Apostrophes are allowed in paths and have no business in what others make of an address.
  const text = url.href.replaceAll("'", "%27")
  return text.length <= 2_000 ? text : null
}
