import { boundedText, isSafeLink, linkRelation, markdownRules } from "@kinora/domain/text/SafeLinks"
import MarkdownIt from "markdown-it"
import { cleanText } from "../html/Escape.ts"
import { clockTimes, seekAttribute } from "./ClockTimes.ts"

const reader = () => {
  const made = new MarkdownIt("zero", { html: false, linkify: true, breaks: true }).enable([...markdownRules])
  made.linkify.set({ fuzzyEmail: false, fuzzyIP: false, fuzzyLink: false })
  made.validateLink = isSafeLink
  made.renderer.rules["link_open"] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index]!
    if (token.attrGet(seekAttribute) === null) token.attrSet("rel", linkRelation)
    return renderer.renderToken(tokens, index, options)
  }
  return made
}

const markdown = reader()
const timed = reader().use(clockTimes)

const readable = (text: string): string => cleanText(boundedText(text))

/**
 * Renders a user's Markdown as HTML with only paragraphs, lists, quotes, code, emphasis and links to http, https and
 * mailto URLs. Everything else is escaped. The time is proportional to the length, which is bounded.
 */
export const toSafeHtml = (text: string): string => markdown.render(readable(text)).trim()

/** The same, with times such as `1:02:03` within `duration` (seconds) as links that seek. */
export const toSafeHtmlWithTimes = (text: string, duration: number): string =>
  timed.render(readable(text), { duration }).trim()

/** The same without any markup: the visible text, line by line. For mails, feeds and descriptions. */
export const toPlainText = (text: string): string => {
  let out = ""
  for (const token of markdown.parse(readable(text), {})) {
    if (token.type === "fence") out += `${token.content}\n`
    if (token.type !== "inline") continue
    for (const part of token.children ?? []) {
      if (part.type === "softbreak" || part.type === "hardbreak") out += "\n"
      else out += part.content
    }
    out += "\n"
  }
  return out.trim()
}
