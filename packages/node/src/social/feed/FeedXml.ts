import { cleanText } from "../../platform/html/Escape.ts"

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }

/** Printable ASCII of which nothing has to be escaped: most of what feeds write are addresses and numbers. */
const plain = /^[ !#-%(-;=?-~]*$/

/**
 * Text as character data or as the value of an attribute. What XML 1.0 has no character for (2.2: control characters, lone
 * surrogates, U+FFFE and U+FFFF) is left out, as are marks that turn the direction of what follows; `]]>` cannot appear.
 */
const xmlText = (text: string): string =>
  plain.test(text) ? text : cleanText(text).replace(/[&<>"']/g, (it) => entities[it]!)

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>
type Child = string | false | undefined | ReadonlyArray<Child>

const attributesText = (attributes: Attributes): string => {
  let text = ""
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined) text += ` ${name}="${xmlText(String(value))}"`
  }
  return text
}

const joined = (children: ReadonlyArray<Child>): string => {
  let text = ""
  for (const child of children) {
    if (typeof child === "string") text += child
    else if (typeof child === "object") text += joined(child)
  }
  return text
}

/** An element with text in it, which is escaped; nothing without text. */
export const leaf = (name: string, text: string | number | null | undefined, attributes: Attributes = {}): string =>
  text === null || text === undefined
    ? ""
    : `<${name}${attributesText(attributes)}>${xmlText(String(text))}</${name}>\n`

/** An element without content. */
export const empty = (name: string, attributes: Attributes): string => `<${name}${attributesText(attributes)}/>\n`

/** An element with other elements in it. */
export const element = (name: string, attributes: Attributes, ...children: ReadonlyArray<Child>): string =>
  `<${name}${attributesText(attributes)}>\n${joined(children)}</${name}>\n`

/** A document with its root element. */
export const xmlDocument = (root: string): string => `<?xml version="1.0" encoding="utf-8"?>\n${root}`

/** A time as RSS writes it (RFC 822, four digits for the year); `iso` is ISO 8601. */
export const rssTime = (iso: string): string => new Date(iso).toUTCString()
