import { brokenOrder, type Edge, folderCircles } from "./Folders.ts"
import { brokenHandlers } from "./Handlers.ts"
import { resolve } from "./Specifiers.ts"

/** One broken rule, as it is printed: `path: what is wrong`. */
export type Violation = string

/** Text files of the repository by their path from its root. */
export type Sources = ReadonlyMap<string, string>

/** What the sources of a package may import: packages of ours, and powers. */
interface Allowance {
  readonly ours: ReadonlyArray<string>
  readonly powers: ReadonlyArray<"node" | "platform" | "postgres">
}

const allowances: Readonly<Record<string, Allowance>> = {
  domain: { ours: [], powers: [] },
  federation: { ours: ["domain"], powers: ["node"] },
  torrent: { ours: ["domain"], powers: ["node"] },
  ingest: { ours: ["domain"], powers: ["node"] },
  media: { ours: ["domain"], powers: ["node"] },
  storage: { ours: ["domain"], powers: ["node", "postgres"] },
  web: { ours: ["domain"], powers: [] },
  node: { ours: ["domain", "federation", "torrent", "ingest", "media", "storage"], powers: ["node", "platform"] },
  runner: { ours: ["domain", "media"], powers: ["node", "platform"] }
}

const entryPoints: ReadonlySet<string> = new Set(["packages/node/src/main.ts", "runner/src/main.ts"])

/** Packages whose top folders are domains, in one order. */
const sorted: ReadonlyArray<string> = ["node", "storage"]

const longestFile = 500

// Put together at run time, so that this file does not break its own rule.
const forbidden: ReadonlyArray<readonly [words: RegExp, why: string]> = [
  [new RegExp(["registry", "npmjs"].join("\\."), "i"), "names a package registry"],
  [new RegExp(["npm", "pkg", "github"].join("\\."), "i"), "names a package registry"],
  [new RegExp(["/wo", "rk/(main|shared)"].join("")), "names a path of one machine"],
  [new RegExp(["/tmp/", "kinora/"].join("")), "names a path of one machine"],
  [new RegExp(`\\b(${["cla", "ude|chat", "gpt|anthr", "opic"].join("")})\\b`, "i"), "names a tool it was written with"]
]

interface Owner {
  readonly name: string
  readonly root: string
  readonly inTests: boolean
}

const ownerOf = (path: string): Owner | undefined => {
  const match = /^(?:packages\/([^/]+)|(runner))\/(src|test)\//.exec(path)
  const name = match?.[1] ?? match?.[2]
  return match === null || name === undefined
    ? undefined
    : { name, root: match[1] === undefined ? "runner" : `packages/${name}`, inTests: match[3] === "test" }
}

const isScript = (path: string): boolean => /\.tsx?$/.test(path)

/** Everything a module imports or re-exports, by specifier. */
export const importsOf = (content: string): ReadonlyArray<string> => {
  const code = content.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
  return [
    ...code.matchAll(
      /(?:^|[\s;])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g
    )
  ]
    .map((match) => match[1] ?? match[2] ?? "")
    .filter((specifier) => specifier !== "")
}

const brokenPowers = (path: string, owner: Owner, specifier: string): ReadonlyArray<Violation> => {
  const { powers } = allowances[owner.name] ?? { powers: [] }
  const used = specifier.startsWith("node:")
    ? "node"
    : specifier.startsWith("@effect/platform-node")
      ? "platform"
      : specifier.startsWith("@effect/sql-pg")
        ? "postgres"
        : undefined
  return used === undefined || owner.inTests || powers.includes(used)
    ? []
    : [`${path}: ${owner.name} may not import ${specifier}`]
}

const brokenDirection = (path: string, owner: Owner, target: string): ReadonlyArray<Violation> => {
  const other = ownerOf(target)
  if (target.startsWith(`${owner.root}/`)) {
    return !owner.inTests && target.startsWith(`${owner.root}/test/`)
      ? [`${path}: sources import the test ${target}`]
      : []
  }
  if (other === undefined) return owner.inTests ? [] : [`${path}: imports ${target}, outside of the packages`]
  const { ours } = allowances[owner.name] ?? { ours: [] }
  return ours.includes(other.name) ? [] : [`${path}: ${owner.name} may not import ${other.name} (${target})`]
}

/** A file that only passes on what others export makes everything import everything. */
const isBarrel = (content: string): boolean => {
  const code = content.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").trim()
  if (code === "") return false
  return (
    code.replaceAll(/export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+["'][^"']+["'];?/g, "").trim() ===
    ""
  )
}

const brokenInFile = (path: string, content: string): ReadonlyArray<Violation> => {
  const found: Array<Violation> = []
  for (const [words, why] of forbidden) {
    const line = content.split("\n").findIndex((text) => words.test(text))
    if (line >= 0) found.push(`${path}:${line + 1}: ${why}`)
  }
  if (!/\.(tsx?|mts|css|sh)$/.test(path)) return found
  const length = content.trimEnd().split("\n").length
  if (length > longestFile) found.push(`${path}: ${length} lines, more than ${longestFile}`)
  const owner = ownerOf(path)
  if (owner === undefined || owner.inTests || !isScript(path)) return found
  if (isBarrel(content) || path.endsWith("/index.ts")) found.push(`${path}: a barrel`)
  if (!entryPoints.has(path) && /\bprocess\s*\.\s*env\b/.test(content)) {
    found.push(`${path}: process.env outside of an entry point`)
  }
  // `handleAll` itself takes any response: see platform/http/Answer.ts.
  if (/\bhandlers\.handle\w*\(/.test(content) && !/\} satisfies Answers<"\w+">\)/.test(content)) {
    found.push(`${path}: handlers that satisfy no Answers<…>: the compiler does not check what they answer`)
  }
  if (/\bEffect\.forkDetach\b/.test(content)) found.push(`${path}: Effect.forkDetach, a fiber nobody watches`)
  return found
}

/** Every circle of imports, each told once, from its first file in alphabetical order. */
const cycles = (graph: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<Violation> => {
  const found: Array<Violation> = []
  const done = new Set<string>()
  const path: Array<string> = []
  const visit = (file: string) => {
    const at = path.indexOf(file)
    if (at >= 0) {
      found.push(`imports in a circle: ${[...path.slice(at), file].join(" -> ")}`)
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    path.pop()
    done.add(file)
  }
  for (const file of [...graph.keys()].toSorted()) visit(file)
  return found
}

/** Folders of each package that import each other in a circle, and domains that import against their order. */
const brokenFolders = (graph: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<Violation> => {
  const packages = new Map<string, Array<Edge>>()
  for (const [from, targets] of graph) {
    const owner = ownerOf(from)
    if (owner === undefined || owner.inTests) continue
    const within = targets.filter((to) => to.startsWith(`${owner.root}/src/`)).map((to) => ({ from, to }))
    packages.set(owner.root, [...(packages.get(owner.root) ?? []), ...within])
  }
  return [...packages].flatMap(([root, edges]) => [
    ...folderCircles(edges),
    ...(sorted.some((name) => root === `packages/${name}`) ? brokenOrder(`${root}/src`, edges) : [])
  ])
}

/** Checks every rule; an empty answer means that all hold. */
export const violations = (sources: Sources): ReadonlyArray<Violation> => {
  const found: Array<Violation> = []
  const graph = new Map<string, ReadonlyArray<string>>()
  for (const [path, content] of sources) {
    found.push(...brokenInFile(path, content))
    const owner = ownerOf(path)
    if (owner === undefined || !isScript(path)) continue
    const targets: Array<string> = []
    for (const specifier of importsOf(content)) {
      found.push(...brokenPowers(path, owner, specifier))
      const target = resolve(path, specifier)
      if (target === undefined) continue
      targets.push(target)
      found.push(...brokenDirection(path, owner, target))
    }
    graph.set(path, targets)
  }
  return [...found, ...cycles(graph), ...brokenFolders(graph), ...brokenHandlers(sources)]
}

/** How long the sources are: the rule is half below 100 lines, nine tenths below 300. */
export const lengths = (
  sources: Sources
): { readonly files: number; readonly half: number; readonly nineTenths: number } => {
  const sorted = [...sources]
    .filter(([path]) => ownerOf(path) !== undefined && isScript(path))
    .map(([, content]) => content.trimEnd().split("\n").length)
    .toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { files: sorted.length, half: at(0.5), nineTenths: at(0.9) }
}
