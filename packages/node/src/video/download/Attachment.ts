/** Maximum length of a file name, in UTF-8 bytes: file systems allow 255, and browsers may add a number. */
const longest = 200

/**
 * Control characters, line separators, and characters that reverse the text direction (they can hide the file
 * extension).
 */
// oxlint-disable-next-line no-control-regex -- these characters are what is removed
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Characters that some system forbids in file names, or that shells interpret. */
const reserved = /[\\/:*?"<>|]/g

const utf8 = new TextEncoder()

/** Cuts a text to at most this many bytes, between characters. */
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
 * A safe file name for any file system, from text that a user wrote: without separators, control and direction
 * characters, leading or trailing dots and spaces, and not too long. `ending` is always kept.
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

/** `encodeURIComponent` leaves some characters that RFC 8187 does not allow in its `value-chars`. */
const extended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The `content-disposition` header of a download (RFC 6266): an ASCII name for old clients, and the real name (RFC
 * 8187) if the two differ. The name comes from `savedName`.
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
