import type { Sources } from "./Boundaries.ts"
import { exportsOf, importsIn, withoutComments } from "./Modules.ts"

/** What is found, as it is printed. */
export interface Unused {
  /** Exports that no file imports. */
  readonly exports: ReadonlyArray<string>
  /** Exports that only tests import, and that the list of exceptions does not name. */
  readonly onlyTests: ReadonlyArray<string>
  /** Files that no entry point reaches. */
  readonly files: ReadonlyArray<string>
  /** Exceptions that name no export, or one that is used by now. */
  readonly exceptions: ReadonlyArray<string>
}

const isSource = (path: string): boolean => /^(?:packages\/[^/]+|runner)\/src\//.test(path) && !path.endsWith(".d.ts")
const isTest = (path: string): boolean =>
  /^(?:packages\/[^/]+|runner|scripts\/.*)\/test\//.test(path) || path.endsWith(".test.ts")

/** What is started by a person, a browser or a build, and everything outside of the packages. */
const isEntry = (path: string): boolean =>
  /^(?:packages\/node|runner)\/src\/main\.ts$/.test(path) ||
  path.startsWith("packages/web/src/entries/") ||
  (!isSource(path) && !isTest(path))

const normalise = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}

const resolve = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return normalise(`${from.slice(0, from.lastIndexOf("/"))}/${specifier}`)
  const [, name, rest] = /^@kinora\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return name === undefined ? undefined : `${name === "runner" ? name : `packages/${name}`}/src/${rest}.ts`
}

interface Use {
  readonly from: string
  readonly to: string
  readonly names: ReadonlyArray<string> | undefined
}

const usesOf = (files: Sources): ReadonlyArray<Use> =>
  [...files].flatMap(([from, content]) =>
    importsIn(content).flatMap(({ specifier, names }) => {
      const to = resolve(from, specifier)
      return to === undefined || !files.has(to) ? [] : [{ from, to, names }]
    })
  )

const reached = (files: Sources, uses: ReadonlyArray<Use>): ReadonlySet<string> => {
  const targets = Map.groupBy(uses, ({ from }) => from)
  const found = new Set<string>()
  const waiting = [...files.keys()].filter(isEntry)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const { to } of targets.get(file) ?? []) waiting.push(to)
  }
  return found
}

/**
 * Looks through the text of all TypeScript files. `exceptions` are exports that may be used by tests alone, as
 * `File#name`: files move between folders.
 */
export const unused = (sources: Sources, exceptions: ReadonlySet<string>): Unused => {
  const files = new Map([...sources].filter(([path]) => /\.tsx?$/.test(path)))
  const uses = usesOf(files)
  const users = Map.groupBy(uses, ({ to }) => to)
  const code = new Map([...files].map(([path, content]) => [path, withoutComments(content)]))

  const isUsedBy = (name: string, { from, names }: Use) =>
    names === undefined
      ? new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(code.get(from) ?? "")
      : names.includes(name)

  const nobody: Array<string> = []
  const onlyTests: Array<string> = []
  const excepted = new Set<string>()
  for (const [path, content] of files) {
    if (!isSource(path)) continue
    for (const { name, line, isNamed } of exportsOf(content)) {
      if (isNamed) continue
      const by = (users.get(path) ?? []).filter((use) => isUsedBy(name, use))
      if (by.some(({ from }) => !isTest(from))) continue
      if (by.length === 0) {
        nobody.push(`${path}:${line}: nothing imports ${name}`)
        continue
      }
      const key = `${path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf("."))}#${name}`
      if (exceptions.has(key)) excepted.add(key)
      else onlyTests.push(`${path}:${line}: only tests import ${name} (${by.map(({ from }) => from).join(", ")})`)
    }
  }
  const living = reached(files, uses)
  return {
    exports: nobody.toSorted(),
    onlyTests: onlyTests.toSorted(),
    files: [...files.keys()]
      .filter((path) => isSource(path) && !living.has(path))
      .map((path) => `${path}: no entry point reaches it`)
      .toSorted(),
    exceptions: [...exceptions].filter((it) => !excepted.has(it)).map((it) => `${it}: is no exception any more`)
  }
}
