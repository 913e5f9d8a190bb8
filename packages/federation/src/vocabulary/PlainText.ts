/** Elements after which a new line begins, and those after which an empty line does. */
const lines = new Set(["br", "li", "tr", "div", "h1", "h2", "h3", "h4", "h5", "h6"])
const paragraphs = new Set(["p", "blockquote", "ul", "ol", "pre", "table"])
/** Elements whose content is not for readers. */
const hidden = new Set(["script", "style", "template", "head", "title", "noscript", "iframe", "object", "svg", "math"])

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–"
}

const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g

const unescaped = (text: string): string =>
  text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    const point = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    const valid = point > 0 && point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff)
    return valid ? String.fromCodePoint(point) : ""
  })

const attributePattern = (name: string) =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\\s"'>]{1,2000}))`, "i")
const attributes = { href: attributePattern("href"), class: attributePattern("class") }

const attribute = (tag: string, name: keyof typeof attributes): string => {
  const match = attributes[name].exec(tag)
  return match === null ? "" : unescaped(match[1] ?? match[2] ?? match[3] ?? "")
}

const looksLikeAddress = (text: string): boolean => /^(?:https?:\/\/|www\.)\S*$/i.test(text)

/** What stands for a link: the words, unless they are (a part of) the address; people and hashtags by their names. */
const linked = (words: string, href: string, classes: string, names: ReadonlyMap<string, string>): string => {
  const text = words.trim()
  const name = names.get(href)
  if (name !== undefined && text.startsWith("@")) return name
  if (!/^https?:\/\//i.test(href) || /\b(?:mention|hashtag)\b/.test(classes) || text.startsWith("#")) return words
  const address = href.replaceAll(/[\s()<>[\]]/g, (it) => `%${it.charCodeAt(0).toString(16).padStart(2, "0")}`)
  if (text === "" || looksLikeAddress(text) || href.includes(text)) return address
  return `[${text.replaceAll(/[[\]\\]/g, "\\$&")}](${address})`
}

const tagStart = /<\/?([a-zA-Z][a-zA-Z0-9]{0,20})/y

/** Longest HTML that is read, in UTF-16 units. */
const longest = 100_000

/**
 * Text of HTML that others wrote, as Markdown without any HTML: paragraphs and lines, and links. Nothing of it is trusted
 * afterwards either. Reads from left to right once, whatever it is given (corpus FET-07).
 *
 * @param names of people, by the addresses that mentions lead to: HTML often leaves their hosts out
 */
export const textOfHtml = (html: string, names: ReadonlyMap<string, string> = new Map()): string => {
  const source = html.slice(0, longest)
  const lower = source.toLowerCase()
  const lastClose = source.lastIndexOf(">")
  const out: Array<string> = []
  let anchor: { readonly words: Array<string>; readonly href: string; readonly classes: string } | undefined
  const write = (text: string) => (anchor?.words ?? out).push(text)
  const closeAnchor = () => {
    if (anchor === undefined) return
    const { classes, href, words } = anchor
    anchor = undefined
    out.push(linked(words.join(""), href, classes, names))
  }
  let at = 0
  while (at < source.length) {
    const open = source.indexOf("<", at)
    const text = source.slice(at, open < 0 ? undefined : open)
    if (text !== "") write(unescaped(text.replaceAll(/\s+/g, " ")))
    if (open < 0) break
    if (source.startsWith("<!--", open)) {
      const end = source.indexOf("-->", open)
      if (end < 0) break
      at = end + 3
      continue
    }
    tagStart.lastIndex = open
    const name = open < lastClose ? tagStart.exec(source)?.[1]?.toLowerCase() : undefined
    if (name === undefined) {
      write("<")
      at = open + 1
      continue
    }
    const close = source.indexOf(">", open)
    const tag = source.slice(open, close + 1)
    at = close + 1
    const closing = tag.startsWith("</")
    if (hidden.has(name) && !closing) {
      const end = lower.indexOf(`</${name}`, at)
      if (end < 0) break
      at = end
      continue
    }
    if (name === "a") {
      closeAnchor()
      if (!closing) anchor = { words: [], href: attribute(tag, "href"), classes: attribute(tag, "class") }
    } else if (name === "li" && !closing) write("\n- ")
    else if (paragraphs.has(name)) write("\n\n")
    else if (name === "br" || (closing && lines.has(name))) write("\n")
  }
  closeAnchor()
  return out
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()
}

const tag = /<\/?(?:p|br|a|span|div|ul|ol|li|strong|em|b|i|h[1-6])(?:\s[^>]{0,500})?\/?>/i

/** Whether text that does not say what it is seems to be HTML. PeerTube sends Markdown, most others HTML. */
export const seemsHtml = (text: string): boolean => tag.test(text.slice(0, 10_000))
