/** Relative addresses are none: they would lead somewhere else on each instance. */
const safe = /^(?:https?:\/\/[^\s/]|mailto:[^\s])/i

/** Longest address that becomes a link, in UTF-16 units. */
const longest = 2_000

/** Whether an address that somebody wrote may become a link: http, https and mailto, which run nothing. */
export const isSafeLink = (address: string): boolean => address.length <= longest && safe.test(address)

/** The `rel` of links in users' texts, for search engines and the linked page. */
export const linkRelation = "nofollow noopener ugc"

/** What of Markdown texts of people are read by, besides paragraphs: no HTML, no pictures, no headings, no references. */
export const markdownRules: ReadonlyArray<string> = [
  ...["list", "blockquote", "fence"],
  ...["newline", "escape", "backticks", "strikethrough", "emphasis", "link", "autolink", "linkify", "entity"]
]

/** Texts are read up to here, in UTF-16 units: nothing of ours may be longer, and what others send is cut. */
export const longestMarkdown = 20_000

/** Marks without width, which hide what is between them; joiners stay, which scripts and emoji need. */
const invisible = /[\u200b\u2060\ufeff]/g

/** Text that is not longer than is read, without marks that cannot be seen. */
export const boundedText = (text: string): string =>
  (text.length <= longestMarkdown ? text : `${text.slice(0, longestMarkdown).toWellFormed()}…`).replace(invisible, "")
