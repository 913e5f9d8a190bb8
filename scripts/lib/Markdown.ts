/** A line of a document that is prose: outside of fenced code blocks. */
export interface ProseLine {
  readonly line: number
  readonly text: string
}

const fence = /^\s*(?:```|~~~)/

/** The lines of a Markdown text without its code blocks, counted from 1. */
export const proseOf = (text: string): ReadonlyArray<ProseLine> => {
  const prose: Array<ProseLine> = []
  let inCode = false
  for (const [index, line] of text.split("\n").entries()) {
    if (fence.test(line)) inCode = !inCode
    else if (!inCode) prose.push({ line: index + 1, text: line })
  }
  return prose
}

/** What a page shows of a heading: the text of links, and of code without its backticks. */
const shown = (heading: string): string => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")

/** The anchors of a text's headings, as GitHub and Forgejo derive them. A repeated heading gets a number. */
export const anchorsOf = (text: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const { text: line } of proseOf(text)) {
    const heading = /^#{1,6} +(.*?)(?: +#+)?$/.exec(line)?.[1]
    if (heading === undefined) continue
    const anchor = shown(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-")
    let unique = anchor
    for (let nth = 1; anchors.has(unique); nth++) unique = `${anchor}-${nth}`
    anchors.add(unique)
  }
  return anchors
}
