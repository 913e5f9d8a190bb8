import { codeOf, statements } from "./SqlStatements.ts"

/** SQL files by their path from `packages/storage/sql`. */
export type SqlTexts = ReadonlyMap<string, string>

/** Checksums by path, as `checksums.txt` records them. */
export type Checksums = ReadonlyMap<string, string>

const domains = "platform|people|video|social|runner|federation|instance"
const tables = new RegExp(`^(?:${domains})/tables/\\d\\d-[a-z0-9-]+\\.sql$`)
const repeatable = new RegExp(`^(?:${domains})/(?:functions|views|triggers)/[a-z0-9-]+\\.sql$`)
const change = /^changes\/(\d{4})-[a-z0-9-]+\.sql$/
const takeover = "upgrade-from-48.sql"

const longestLine = 160
const longestFile = 300

const keywords =
  /\b(SELECT|FROM|WHERE|JOIN|INSERT|INTO|UPDATE|DELETE|CREATE|ALTER|DROP|TABLE|INDEX|FUNCTION|TRIGGER|VIEW|RETURNS?|BEGIN|END|DECLARE|IF|THEN|ELSE|ELSIF|LOOP|NULL|NOT|AND|OR|IN|AS|ON|CASE|WHEN|PERFORM|VALUES|REFERENCES|PRIMARY|UNIQUE|CHECK|DEFAULT|LANGUAGE)\b/

/** Whether a file never changes once it is recorded: it was applied to databases that are not ours. */
export const isFrozen = (path: string): boolean => tables.test(path) || change.test(path) || path === takeover

const brokenText = (path: string, text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const code = codeOf(text).split("\n")
  const lines = text.split("\n")
  for (const [index, line] of lines.entries()) {
    const say = (what: string) => found.push(`${path}:${index + 1}: ${what}`)
    if (line.includes("\t")) say("a tab")
    if (/\s$/.test(line)) say("blanks at the end of the line")
    if (line.length > longestLine) say(`${line.length} characters, more than ${longestLine}`)
    const keyword = keywords.exec(code[index] ?? "")?.[0]
    if (keyword !== undefined) say(`${keyword} in capitals`)
  }
  if (!text.startsWith("-- ")) found.push(`${path}: no comment that says what it is`)
  if (!text.endsWith("\n") || text.endsWith("\n\n")) found.push(`${path}: does not end with one line end`)
  if (lines.length - 1 > longestFile) found.push(`${path}: ${lines.length - 1} lines, more than ${longestFile}`)
  return found
}

const maker = {
  functions: /^create function (\w+)\s*\(/,
  views: /^create view (\w+)\b/,
  triggers: /^create (?:constraint )?trigger (\w+)\s[^]*?\son\s+(\w+)\b/
} as const

/** What a function takes, to part those of one name: the text between its first parentheses. */
const parametersOf = (statement: string): string => {
  const open = statement.indexOf("(")
  let depth = 0
  for (let at = open; at < statement.length; at++) {
    if (statement[at] === "(") depth++
    if (statement[at] === ")" && --depth === 0) return statement.slice(open, at + 1).replaceAll(/\s+/g, " ")
  }
  return statement.slice(open)
}

/** What a statement makes, by its kind and name; undefined when it is of another kind than its file. */
const madeBy = (statement: string, kind: keyof typeof maker): string | undefined => {
  const match = maker[kind].exec(statement)
  if (match === null) return undefined
  if (kind === "functions") return `function ${match[1]}${parametersOf(statement)}`
  return kind === "views" ? `view ${match[1]}` : `trigger ${match[1]} on ${match[2]}`
}

const brokenDefinitions = (files: SqlTexts): ReadonlyArray<string> => {
  const found: Array<string> = []
  const places = new Map<string, string>()
  for (const [path, text] of files) {
    if (!repeatable.test(path)) continue
    const kind = path.split("/")[1] as keyof typeof maker
    for (const statement of statements(text)) {
      const made = madeBy(statement, kind)
      if (made === undefined) {
        found.push(`${path}: only ${kind} by "create" stand here: ${statement.slice(0, 60).replaceAll(/\s+/g, " ")}`)
      } else if (places.has(made)) found.push(`${path}: ${made} stands in ${places.get(made)} already`)
      else places.set(made, path)
    }
  }
  return found
}

const brokenPaths = (files: SqlTexts): ReadonlyArray<string> => {
  const found: Array<string> = []
  const numbers = new Map<string, string>()
  for (const path of files.keys()) {
    if (!isFrozen(path) && !repeatable.test(path)) found.push(`${path}: no place for a file of SQL`)
    const number = change.exec(path)?.[1]
    if (number === undefined) continue
    if (Number(number) < 50) found.push(`${path}: changes are numbered from 0050 on`)
    if (numbers.has(number)) found.push(`${path}: ${numbers.get(number)} has the same number`)
    numbers.set(number, path)
  }
  return found
}

const brokenChecksums = (
  files: SqlTexts,
  recorded: Checksums,
  checksum: (text: string) => string
): ReadonlyArray<string> => [
  ...[...files].flatMap(([path, text]) => {
    if (!isFrozen(path)) return []
    const expected = recorded.get(path)
    if (expected === undefined) return [`${path}: not recorded; node scripts/sql.ts --record once it is finished`]
    return expected === checksum(text) ? [] : [`${path}: was altered after it was recorded; write a change instead`]
  }),
  ...[...recorded.keys()].filter((path) => !files.has(path)).map((path) => `${path}: is recorded, and gone`)
]

/** Every broken rule of the files, as it is printed. */
export const violations = (
  files: SqlTexts,
  recorded: Checksums,
  checksum: (text: string) => string
): ReadonlyArray<string> => [
  ...brokenPaths(files),
  ...[...files].flatMap(([path, text]) => brokenText(path, text)),
  ...brokenDefinitions(files),
  ...brokenChecksums(files, recorded, checksum)
]
