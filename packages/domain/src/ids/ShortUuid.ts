import { Schema } from "effect"
import { parseUuid, type VideoUuid } from "./VideoUuid.ts"

/** Flickr's base 58: no `0`, `O`, `I` or `l`, digits before lower case before upper case. */
const alphabet = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
const length = 22
const pattern = new RegExp(`^[${alphabet}]{${length}}$`)
const limit = 1n << 128n

/** A UUID written in flickr-base58, always 22 characters: the form used in addresses of pages. */
export const ShortUuid = Schema.String.check(Schema.isPattern(pattern)).pipe(Schema.brand("ShortUuid"))
export type ShortUuid = typeof ShortUuid.Type

/** The short form of a UUID, padded to 22 characters. */
export const toShortUuid = (uuid: string): ShortUuid => {
  let rest = BigInt(`0x${uuid.replaceAll("-", "")}`)
  let text = ""
  for (let i = 0; i < length; i++) {
    text = alphabet.charAt(Number(rest % 58n)) + text
    rest /= 58n
  }
  return text as ShortUuid
}

/** The UUID a short form stands for, or undefined when it is no short form (wrong length or letters, above 2^128). */
export const fromShortUuid = (text: string): VideoUuid | undefined => {
  if (!pattern.test(text)) return undefined
  let value = 0n
  for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character))
  if (value >= limit) return undefined
  const hex = value.toString(16).padStart(32, "0")
  return parseUuid(`${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`)
}
