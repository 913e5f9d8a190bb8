import { proseOf } from "./Markdown.ts"

const index = "README.md"
/** The sections of a page, in their order. */
const sections = ["Context", "Decision", "Consequences", "Figures", "Rejected"] as const
const required = sections.slice(0, 3)

const statusLine = /^Status: (?<status>[a-z]+), made (?<made>\d{4}-\d\d-\d\d), changed (?<changed>\d{4}-\d\d-\d\d)\.$/
const indexRow =
  /^\| \[(?<title>.+)\]\((?<page>[^)]+)\) +\| (?<status>[a-z]+) +\| (?<made>\d{4}-\d\d-\d\d) +\| (?<changed>\d{4}-\d\d-\d\d) +\|$/

/** What the index repeats of a page. */
interface Summary {
  readonly title: string
  readonly status: string
  readonly made: string
  readonly changed: string
}

const isSection = (name: string): name is (typeof sections)[number] => sections.some((known) => known === name)

/** A section begins with a heading or, in a page without any, with a bold word. */
const sectionsOf = (text: string): ReadonlyArray<string> => {
  const lines = proseOf(text).map((line) => line.text)
  const headings = lines.flatMap((line) => /^## +(.*)$/.exec(line)?.[1] ?? [])
  if (headings.length > 0) return headings
  return lines.flatMap((line) => /^\*\*([A-Z]\w+)\.\*\*/.exec(line)?.[1] ?? []).filter(isSection)
}

const problemsOfSections = (text: string): ReadonlyArray<string> => {
  const found = sectionsOf(text)
  const unknown = found.filter((name) => !isSection(name))
  const known = found.filter(isSection)
  const inOrder = sections.filter((name) => known.includes(name))
  return [
    ...unknown.map((name) => `"${name}" is no section of a decision (${sections.join(", ")})`),
    ...required.filter((name) => !known.includes(name)).map((name) => `the section "${name}" is missing`),
    ...(known.join() === inOrder.join() ? [] : [`each section stands once, in this order: ${inOrder.join(", ")}`])
  ]
}

const summaryOf = (text: string): Summary | undefined => {
  const lines = text.trimEnd().split("\n")
  const title = /^# (.*[^.\s])$/.exec(lines[0] ?? "")?.[1]
  const { changed, made, status } = statusLine.exec(lines.at(-1) ?? "")?.groups ?? {}
  if (title === undefined || status === undefined || made === undefined || changed === undefined) return undefined
  return { title, status, made, changed }
}

const rowsOf = (text: string): ReadonlyMap<string, Summary> => {
  const rows = new Map<string, Summary>()
  for (const { text: line } of proseOf(text)) {
    const { changed = "", made = "", page, status = "", title = "" } = indexRow.exec(line)?.groups ?? {}
    if (page !== undefined) rows.set(page, { title, status, made, changed })
  }
  return rows
}

const problemsOfPage = (text: string, row: Summary | undefined): ReadonlyArray<string> => {
  const found = [...problemsOfSections(text)]
  const summary = summaryOf(text)
  if (summary === undefined) {
    found.push('begins with "# title" and ends with "Status: accepted, made YYYY-MM-DD, changed YYYY-MM-DD."')
  } else if (summary.changed < summary.made) {
    found.push("was changed before it was made")
  }
  if (row === undefined) return [...found, `has no row in ${index}`]
  const members = ["title", "status", "made", "changed"] as const
  const differ = summary === undefined ? [] : members.filter((member) => summary[member] !== row[member])
  return [...found, ...differ.map((member) => `${member} differs from the row in ${index}: "${row[member]}"`)]
}

/**
 * What is wrong with decision pages: each has the sections in their order, a title and a status line, and a row in the index
 * with the same title, status and dates.
 *
 * @param folder path that findings begin with
 * @param pages text of every page by the name of its file, the index among them
 */
export const decisionProblems = (folder: string, pages: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const rows = rowsOf(pages.get(index) ?? "")
  const found: Array<string> = []
  for (const [name, text] of pages) {
    if (name === index) continue
    for (const problem of problemsOfPage(text, rows.get(name))) found.push(`${folder}/${name}: ${problem}`)
  }
  for (const name of rows.keys()) if (!pages.has(name)) found.push(`${folder}/${index}: ${name} does not exist`)
  return found
}
