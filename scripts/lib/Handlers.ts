import { withoutComments } from "./Modules.ts"
import { resolve } from "./Specifiers.ts"
import { codeOf, statements } from "./SqlStatements.ts"

/** One import of something that exists at run time, by what is said after `from`. */
interface ValueImport {
  readonly specifier: string
  /** Names as the importing module calls them. */
  readonly names: ReadonlyArray<string>
}

/** Statements and functions of PostgreSQL that write, lock or notify. */
const writing =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate|update\s+(?:only\s+)?(?:\w+|\$\{[^}]*\})(?:\s+(?:as\s+)?\w+)?\s+set|for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|nextval|setval|pg_notify|pg_(?:try_)?advisory_\w+)\b/i

const isHandler = (path: string): boolean => /^packages\/node\/src\/.*(?:Http|Routes)\.ts$/.test(path)
const isRepository = (path: string): boolean => path.startsWith("packages/storage/src/")
const isReader = (path: string): boolean => isRepository(path) && /(?:Lists|Reads)\.ts$/.test(path)
const isRights = (path: string): boolean => /^packages\/node\/src\/.*Rights\.ts$/.test(path)
const isSqlFunctions = (path: string): boolean => /^packages\/storage\/sql\/\w+\/functions\/.*\.sql$/.test(path)

const called = (names: Iterable<string>): RegExp | undefined => {
  const all = [...names]
  return all.length === 0 ? undefined : new RegExp(`\\b(?:${all.join("|")})\\(`)
}

/** Names of SQL functions that write, lock or notify, by themselves or through others. */
export const writingFunctions = (files: Iterable<string>): ReadonlySet<string> => {
  const bodies = [...files].flatMap((text) =>
    statements(text).flatMap((statement) => {
      const name = /^create function (\w+)\s*\(/.exec(statement)?.[1]
      return name === undefined ? [] : [{ name, code: codeOf(statement) }]
    })
  )
  const found = new Set(bodies.filter(({ code }) => writing.test(code)).map(({ name }) => name))
  for (let known = -1; known < found.size;) {
    known = found.size
    const calls = called(found)
    for (const { code, name } of bodies) if (calls?.test(code) === true) found.add(name)
  }
  return found
}

/** Everything a module imports beside types. */
const valueImports = (source: string): ReadonlyArray<ValueImport> => {
  const code = withoutComments(source)
  const named = [...code.matchAll(/^(?:import|export)\s+(?!type\s)([^"';]*?)\s+from\s*["']([^"']+)["']/gm)].flatMap(
    ([, what = "", specifier = ""]) => {
      const names = what
        .replaceAll(/[{}]/g, "")
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "" && !part.startsWith("type "))
        .map((part) => part.split(/\s+as\s+/).at(-1) ?? part)
      return names.length === 0 ? [] : [{ specifier, names }]
    }
  )
  const atRunTime = [...code.matchAll(/\bimport\(\s*["']([^"']+)["']/g)].map(([, specifier = ""]) => ({
    specifier,
    names: []
  }))
  return [...named, ...atRunTime]
}

/**
 * Handlers that do what others do: import a repository that writes or locks, provide the layer of a repository, hold SQL, or
 * decide by a rule of rights; and repositories that read by their names, and write. See docs/architecture.md.
 */
export const brokenHandlers = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const calls = called(writingFunctions([...sources].flatMap(([path, text]) => (isSqlFunctions(path) ? [text] : []))))
  const writes = (path: string): string | undefined => {
    const code = withoutComments(sources.get(path) ?? "")
    const found = writing.exec(code)?.[0] ?? calls?.exec(code)?.[0]
    return found?.replaceAll(/\s+/g, " ")
  }
  const readers = [...sources.keys()].filter(isReader).flatMap((path) => {
    const found = writes(path)
    return found === undefined ? [] : [`${path}: writes or locks ("${found}"), which its name denies`]
  })
  const handlers = [...sources].flatMap(([path, source]) =>
    isHandler(path)
      ? valueImports(source).flatMap(({ names, specifier }) => {
          if (specifier.startsWith("effect/sql")) return [`${path}: imports ${specifier}; repositories hold the SQL`]
          const target = resolve(path, specifier)
          if (target === undefined) return []
          if (isRights(target)) return [`${path}: decides by ${target}; rights are a matter of services`]
          if (!isRepository(target)) return []
          const found = writes(target)
          const layers = names.filter((name) => new RegExp(`\\b${name}\\.layer\\b`).test(source))
          return [
            ...(found === undefined
              ? []
              : [`${path}: imports ${target}, which writes or locks ("${found}"); a service does`]),
            ...layers.map((name) => `${path}: provides ${name}.layer; the room's layer of services does`)
          ]
        })
      : []
  )
  return [...readers, ...handlers]
}
