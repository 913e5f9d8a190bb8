/** What of a text is no code: a comment, a quoted text, or a body between dollar signs; undefined where code begins. */
const quoteAt = (text: string, at: number): number | undefined => {
  const end = (mark: string, from: number) => {
    const found = text.indexOf(mark, from)
    return found < 0 ? text.length : found + mark.length
  }
  if (text.startsWith("--", at)) return end("\n", at) - (text.includes("\n", at) ? 1 : 0)
  if (text[at] === "'" || text[at] === '"') return end(text[at], at + 1)
  const dollar = /^\$\w*\$/.exec(text.slice(at, at + 40))?.[0]
  return dollar === undefined ? undefined : end(dollar, at + dollar.length)
}

/** The statements of a file without their comments, in their order. */
export const statements = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let current = ""
  for (let at = 0; at < text.length;) {
    const end = quoteAt(text, at)
    if (end !== undefined) {
      if (!text.startsWith("--", at)) current += text.slice(at, end)
      at = end
    } else {
      if (text[at] === ";") {
        found.push(current.trim())
        current = ""
      } else current += text[at]
      at++
    }
  }
  return [...found, current.trim()].filter((statement) => statement !== "")
}

/** The text with blanks in place of comments and of what stands in quotes; bodies between dollar signs are code. */
export const codeOf = (text: string): string =>
  text.replaceAll(/--[^\n]*|'[^']*'|"[^"]*"/g, (part) => part.replaceAll(/[^\n]/g, " "))
