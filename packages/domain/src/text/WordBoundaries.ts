/** Whether a character goes on a word that has begun before it. */
const separate = 0
/** Letters, digits and their marks: a word of them ends where they end. */
const letter = 1
const katakana = 2
/** Of scripts that are written without spaces: each character may begin and end a word. */
const unspaced = 3
const unknown = 255

const isUnspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3099\u309a]/u
const isKatakana = /[\p{Script=Katakana}\u30fc]/u
const isLetter = /[\p{L}\p{N}\p{M}]/u

const classify = (character: number): number => {
  const text = String.fromCodePoint(character)
  if (isKatakana.test(text)) return katakana
  if (isUnspaced.test(text)) return unspaced
  return isLetter.test(text) ? letter : separate
}

/** Classes of the characters below U+10000 that were asked for. */
const known = new Uint8Array(0x10000).fill(unknown)

const classOf = (character: number): number => {
  if (character >= known.length) return classify(character)
  const found = known[character]!
  return found === unknown ? (known[character] = classify(character)) : found
}

const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

/**
 * Whether a word may begin or end before this place of a text: by the default rules of Unicode (UAX #29), except that `'`, `.`, `:`
 * and `_` always separate. So "idiot" is found in "idiot's", in "idiot.example" and in "_idiot_".
 */
export const isBoundary = (text: string, at: number): boolean => {
  if (at <= 0 || at >= text.length) return true
  const unit = text.charCodeAt(at)
  if (isTrail(unit)) return false
  const before = text.charCodeAt(at - 1)
  const left = classOf(isTrail(before) ? text.codePointAt(at - 2)! : before)
  const right = classOf(text.codePointAt(at)!)
  return left !== right || left === separate || left === unspaced
}
