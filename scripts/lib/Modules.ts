/** One name that a module exports. */
export interface Export {
  readonly name: string
  readonly line: number
  /** Whether it is a type that another declaration of the module names: the types of what is exported may be made of it. */
  readonly isNamed: boolean
}

/** One import, by what is said after `from`. */
export interface Import {
  readonly specifier: string
  /** The names that are imported. Undefined: all of them, by a namespace or at run time. */
  readonly names: ReadonlyArray<string> | undefined
}

const declaration =
  /^(export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(const|let|function|class|interface|type|enum)\b\*?\s*(\{[^}]*\}|[\w$]+)/
const types: ReadonlySet<string> = new Set(["interface", "type", "class"])

/** Without comments that begin a line; lines keep their numbers. Those behind code are no harm here. */
export const withoutComments = (content: string): string =>
  content
    .replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/^[ \t]*\/\/.*$/gm, "")

/** Names in braces as others see them: of `a as b` and `a: b` the second one when `last`, else the first. */
const namesIn = (braces: string, last: boolean): ReadonlyArray<string> =>
  braces
    .replaceAll(/[{}]/g, "")
    .split(",")
    .map((part) => part.trim().replace(/^type\s+/, ""))
    .filter((part) => part !== "")
    .map((part) => part.split(/\s+as\s+|\s*:\s*/).at(last ? -1 : 0) ?? "")

interface Statement {
  readonly text: string
  readonly line: number
}

/** Statements at the top of a module: each begins in the first column, as the formatter writes them. */
const statementsOf = (content: string): ReadonlyArray<Statement> => {
  const found: Array<{ text: string; readonly line: number }> = []
  for (const [n, line] of content.split("\n").entries()) {
    if (/^[A-Za-z_$]/.test(line)) found.push({ text: line, line: n + 1 })
    else if (found.length > 0) found[found.length - 1]!.text += `\n${line}`
  }
  return found
}

/** Everything a module exports by name. */
export const exportsOf = (source: string): ReadonlyArray<Export> => {
  const statements = statementsOf(withoutComments(source))
  const exported = statements.filter(({ text }) => text.startsWith("export"))
  const isMentioned = (name: string, own: ReadonlyArray<Statement>) => {
    const word = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`)
    return statements.some((statement) => !own.includes(statement) && word.test(statement.text))
  }
  const found = exported.flatMap((statement) => {
    const list = /^export\s+(?:type\s+)?(\{[^}]*\})/.exec(statement.text)?.[1]
    if (list !== undefined) return namesIn(list, true).map((name) => ({ name, statement, isType: false }))
    const [, , kind = "", what = ""] = declaration.exec(statement.text) ?? []
    const names = what.startsWith("{") ? namesIn(what, true) : [what]
    return names.filter((name) => name !== "").map((name) => ({ name, statement, isType: types.has(kind) }))
  })
  return [...Map.groupBy(found, ({ name }) => name)].map(([name, same]) => ({
    name,
    line: same[0]!.statement.line,
    isNamed:
      same.some(({ isType }) => isType) &&
      isMentioned(
        name,
        same.map(({ statement }) => statement)
      )
  }))
}

/** Everything a module imports or passes on. */
export const importsIn = (source: string): ReadonlyArray<Import> => {
  const code = withoutComments(source)
  const named = [
    ...code.matchAll(
      /^(?:import|export)\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)?\s*from\s*["']([^"']+)["']/gm
    )
  ].map(([, byDefault, what = "", specifier = ""]) => ({
    specifier,
    names: what.startsWith("*") ? undefined : [...(byDefault === undefined ? [] : ["default"]), ...namesIn(what, false)]
  }))
  const whole = [...code.matchAll(/^import\s*["']([^"']+)["']/gm)].map(([, specifier = ""]) => ({
    specifier,
    names: []
  }))
  const atRunTime = [
    ...code.matchAll(/\bimport\(\s*["']([^"']+)["']/g),
    ...code.matchAll(/new URL\(\s*["'](\.[^"']+\.ts)["'],\s*import\.meta\.url/g)
  ].map(([, specifier = ""]) => ({ specifier, names: undefined }))
  return [...named, ...whole, ...atRunTime]
}
