/**
 * The only place where users' text becomes part of a page. One function per context: text and quoted attributes, URLs,
 * and JSON inside a script element.
 */

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;"
}

/** Control characters except tab and line feed, non-characters, and marks that change the text direction. */
const unwanted = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]/gu

/**
 * Removes characters that no title or description needs and that only serve to deceive. Lone surrogates become U+FFFD.
 */
export const cleanText = (text: string): string => text.toWellFormed().replace(unwanted, "")

/** For text content and for quoted attribute values. */
export const escapeHtml = (text: string): string => cleanText(text).replace(/[&<>"'`]/g, (it) => entities[it]!)

/** An http, https or root-relative URL for `href` and `src`; anything else (`javascript:`, `//host`) is undefined. */
export const safeUrl = (address: string): string | undefined => {
  if (/^\/(?![/\\])/.test(address) && !/[\s\\]/.test(address)) return address
  const url = URL.parse(address)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : undefined
}

const scriptEntities: Record<string, string> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029"
}

/** JSON for a data block in a script element: `</script>`, `<!--` and `]]>` cannot appear in it. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value, (_, it: unknown) => (typeof it === "string" ? cleanText(it) : it)).replace(
    /[<>&\u2028\u2029]/g,
    (it) => scriptEntities[it]!
  )

/** The first `limit` characters, cut at a word if possible, with an ellipsis if something was left out. */
export const truncate = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const cut = text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")
  const space = cut.lastIndexOf(" ")
  return `${(space > limit * 0.6 ? cut.slice(0, space) : cut).trimEnd()}…`
}
