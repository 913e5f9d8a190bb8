import { boundedText, isSafeLink, linkRelation, markdownRules } from "@kinora/domain/text/SafeLinks"
import MarkdownIt from "markdown-it"
import { element } from "../player/Dom.ts"

const markdown = new MarkdownIt("zero", { html: false, linkify: true, breaks: true }).enable([...markdownRules])
markdown.linkify.set({ fuzzyEmail: false, fuzzyIP: false, fuzzyLink: false })
markdown.validateLink = isSafeLink

/** Elements that texts of people may become; everything else stays text. */
const allowed: ReadonlySet<string> = new Set(["p", "ul", "ol", "li", "blockquote", "em", "strong", "s"])

type Tokens = ReturnType<typeof markdown.parse>

const open = (token: Tokens[number]): HTMLElement | undefined => {
  if (token.tag === "a") {
    const href = String(token.attrGet("href") ?? "")
    return isSafeLink(href) ? element("a", { href, rel: linkRelation }) : element("span")
  }
  return allowed.has(token.tag) ? document.createElement(token.tag) : undefined
}

/** Builds nodes, never markup: whatever a text holds, it can become no element but those above. */
const append = (root: HTMLElement, tokens: Tokens): void => {
  let place = root
  for (const token of tokens) {
    if (token.type === "inline") append(place, token.children ?? [])
    else if (token.type === "softbreak" || token.type === "hardbreak") place.append(element("br"))
    else if (token.type === "code_inline") place.append(element("code", {}, token.content))
    else if (token.type === "fence") place.append(element("pre", {}, element("code", {}, token.content)))
    else if (token.nesting === 1 && !token.hidden) {
      const made = open(token)
      if (made === undefined) continue
      place.append(made)
      place = made
    } else if (token.nesting === -1 && !token.hidden) {
      if (place !== root && (token.tag === "a" || allowed.has(token.tag))) place = place.parentElement ?? root
    } else if (token.nesting === 0) place.append(token.content)
  }
}

/** The text of a person as nodes, by the same rules as the server's own pages. */
export const markdownNodes = (text: string): DocumentFragment => {
  const root = element("div")
  append(root, markdown.parse(boundedText(text), {}))
  const nodes = document.createDocumentFragment()
  nodes.append(...root.childNodes)
  return nodes
}
