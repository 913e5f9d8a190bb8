import { join, resolve } from "node:path"
import { type Node, SyntaxKind } from "typescript/unstable/ast"
import { isBindingElement, isIdentifier, isPropertyAssignment, isVariableDeclaration } from "typescript/unstable/ast/is"
import { API, type Project, type Symbol } from "typescript/unstable/sync"
import { flatKeys } from "../../../src/platform/config/Keys.ts"

const project = resolve(import.meta.dirname, "../../..")
const declarations = "/src/platform/config/keys/"
const sections = new Set(["server", "services", "storage", "media", "instance"])
const segments = new Set(flatKeys.flatMap(({ path }) => path.split(".")))

/** `webserver.port` of the declaration of that key; what a helper declares is named after the helper. */
const pathOf = (declaration: Node): string => {
  const names: Array<string> = []
  for (let node: Node = declaration; node !== undefined; node = node.parent) {
    if (isPropertyAssignment(node) || (isVariableDeclaration(node) && isIdentifier(node.name))) {
      names.unshift((node.name as { readonly text: string }).text)
    }
  }
  return (sections.has(names[0] ?? "") ? names.slice(1) : names).join(".")
}

/** The keys and groups of keys a symbol was declared as, by their paths. */
const keysOf = (symbol: Symbol | undefined): ReadonlyArray<string> =>
  (symbol?.declarations ?? []).flatMap((declaration) => {
    if (!declaration.path.includes(declarations)) return []
    const node = declaration.resolve()
    return node === undefined ? [] : [pathOf(node)]
  })

/** The names of keys in a file: properties that are read, and shorthand in patterns, which names a variable as well. */
const symbolsIn = ({ checker, program }: Project, file: string): ReadonlyArray<Symbol | undefined> => {
  const source = program.getSourceFile(file)
  if (source === undefined) return []
  const names: Array<Node> = []
  const shorthands: Array<{ readonly pattern: Node; readonly name: string }> = []
  const visit = (node: Node): void => {
    if (
      isBindingElement(node) &&
      node.propertyName === undefined &&
      node.name !== undefined &&
      isIdentifier(node.name)
    ) {
      if (node.parent.kind === SyntaxKind.ObjectBindingPattern && segments.has(node.name.text)) {
        shorthands.push({ pattern: node.parent, name: node.name.text })
      }
    } else if (isIdentifier(node) || node.kind === SyntaxKind.StringLiteral) {
      if (segments.has((node as Node & { readonly text: string }).text)) names.push(node)
    }
    node.forEachChild(visit)
  }
  visit(source)
  const found: Array<Symbol | undefined> = names.length === 0 ? [] : checker.getSymbolAtLocation(names)
  for (const { name, pattern } of shorthands) {
    const type = checker.getTypeAtLocation(pattern)
    if (type !== undefined) found.push(checker.getPropertyOfType(type, name))
  }
  return found
}

/**
 * Files below `src` by the key, or the group of keys, they name, as the type checker resolves it. The declarations
 * themselves do not count.
 */
export const readersOfKeys = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const api = new API({ cwd: project })
  try {
    const opened = api.updateSnapshot({ openProjects: [join(project, "tsconfig.json")] }).getProjects()[0]!
    const readers = new Map<string, Set<string>>()
    const sources = join(project, "src/")
    for (const file of opened.program.getSourceFileNames()) {
      if (!file.startsWith(sources) || file.includes(declarations)) continue
      for (const key of symbolsIn(opened, file).flatMap(keysOf)) {
        const files = readers.get(key) ?? new Set()
        readers.set(key, files.add(file.slice(sources.length)))
      }
    }
    return readers
  } finally {
    api.close()
  }
}
