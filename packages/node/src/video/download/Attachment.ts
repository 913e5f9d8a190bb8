/** Longest name of a saved file, in UTF-8 bytes: file systems take 255, and browsers add a number to it. */
const longest = 200

/** Control characters, those that turn the direction of what follows (they hide endings), and line separators. */
// oxlint-disable-next-line no-control-regex -- they are what is removed
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Not allowed in file names by one system or the other, or read by shells. */
const reserved = /[\\/:*?"<>|]/g

const utf8 = new TextEncoder()

/** Cuts a text so that it takes at most so many bytes, between characters. */
const cut = (text: string, bytes: number): string => {
  let out = ""
  let left = bytes
  for (const character of text) {
    left -= utf8.encode(character).length
    if (left < 0) break
    out += character
  }
  return out
}

/**
 * A name for a file on anybody's disk, from what a person wrote: without separators, control and direction characters,
 * leading or trailing dots and blanks, and not too long. `ending` is kept whole.
 */
export const savedName = (text: string, ending: string): string => {
  const plain = text
    .toWellFormed()
    .normalize("NFC")
    .replace(invisible, "")
    .replace(reserved, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+/, "")
  const stem = cut(plain, longest - utf8.encode(ending).length).replace(/[. ]+$/, "")
  return `${stem === "" ? "video" : stem}${ending}`
}

/** `encodeURIComponent` leaves some that RFC 8187 does not allow in its `value-chars`. */
const extended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The `content-disposition` of a file to be saved (RFC 6266): a name in ASCII for what reads nothing else, and the
 * name itself (RFC 8187) where the two differ. The name is one of `savedName`.
 */
export const attachment = (name: string): string => {
  const ascii = name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^\x20-\x7e]/g, "_")
    .replace(/[\\"%]/g, "_")
  return ascii === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${extended(name)}`
}
