import { posix } from "node:path"
import { anchorsOf, proseOf } from "./Markdown.ts"

/** The repository as documents refer to it; paths are relative to its root. */
export interface Tree {
  readonly exists: (path: string) => boolean
  readonly read: (path: string) => string
}

const codeSpan = /`[^`]+`/g
const link = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g
const absolute = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i
const folders = /^(?:packages|runner|scripts|docs)\//
/** Stands for many paths, or for one that the reader chooses. */
const pattern = /[<>{}*…]/

const problemOfLink = (path: string, text: string, target: string, tree: Tree): string | undefined => {
  const [file = "", anchor] = target.split("#", 2)
  const place = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), decodeURI(file)))
  if (place.startsWith("../") || !tree.exists(place)) return `no such file: ${target}`
  if (anchor === undefined || !place.endsWith(".md")) return undefined
  return anchorsOf(place === path ? text : tree.read(place)).has(decodeURIComponent(anchor))
    ? undefined
    : `no such heading: ${target}`
}

/**
 * What a document refers to that does not exist: targets of relative links, with the heading where they name one, and paths in
 * backticks that begin with a top-level folder of sources or documents.
 */
export const brokenReferences = (path: string, text: string, tree: Tree): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const { line, text: prose } of proseOf(text)) {
    for (const [, target = ""] of prose.replaceAll(codeSpan, "").matchAll(link)) {
      const problem = absolute.test(target) ? undefined : problemOfLink(path, text, target, tree)
      if (problem !== undefined) found.push(`${path}:${line}: ${problem}`)
    }
    for (const [span] of prose.matchAll(codeSpan)) {
      // What follows a blank are arguments of a command.
      const named = span.slice(1, -1).split(/[\s#]/, 1)[0] ?? ""
      if (!folders.test(named) || pattern.test(named)) continue
      if (!tree.exists(named)) found.push(`${path}:${line}: no such file: ${named}`)
    }
  }
  return found
}
