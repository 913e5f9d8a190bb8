import { isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml"
import type { ConfigProblem } from "./ConfigInvalid.ts"
import { Key, type KeyTree } from "./kinds/Key.ts"
import { flatKeys, keys } from "./Keys.ts"
import { show } from "./kinds/Kind.ts"
import { nearest } from "@kinora/domain/text/Nearest"
import { type Source, unknownKey, type Written } from "./Source.ts"

/** Reads the text of a YAML configuration file; `name` is how reports call the file. */
export const readFile = (name: string, content: string): Source => {
  const lines = new LineCounter()
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, merge: true })
  const values = new Map<string, Written>()
  const warnings: Array<string> = []
  const problems: Array<ConfigProblem> = []
  const at = (offset: number | undefined) => (offset === undefined ? name : `${name}:${lines.linePos(offset).line}`)

  for (const error of document.errors) {
    problems.push({
      path: "the file",
      origin: at(error.pos[0]),
      problem: error.message,
      accepts: "a YAML file with one key a line, nested by indentation"
    })
  }

  const visit = (node: unknown, tree: KeyTree, path: string) => {
    if (!isMap(node)) {
      const absent = node === null || node === undefined || (isScalar(node) && node.value === null)
      if (absent) return
      problems.push({
        path: path === "" ? "the file" : path,
        origin: at((node as Node).range?.[0]),
        problem: `${show((node as Node).toJSON())} stands where keys are expected`,
        accepts: `a group of keys: ${Object.keys(tree).join(", ")}`
      })
      return
    }
    for (const pair of node.items) {
      const keyName = String(isScalar(pair.key) ? pair.key.value : pair.key)
      const origin = at(isScalar(pair.key) ? pair.key.range?.[0] : undefined)
      const here = path === "" ? keyName : `${path}.${keyName}`
      const known = Object.hasOwn(tree, keyName) ? tree[keyName] : undefined
      if (known instanceof Key) {
        values.set(here, { value: (pair.value as Node | null)?.toJS(document) ?? null, origin })
      } else if (known !== undefined) {
        visit(pair.value, known, here)
      } else {
        const siblings = Object.keys(tree).map((sibling) => (path === "" ? sibling : `${path}.${sibling}`))
        const suggestion =
          nearest(here, siblings) ??
          nearest(
            here,
            flatKeys.map((flat) => flat.path)
          )
        warnings.push(unknownKey(here, origin, suggestion))
      }
    }
  }
  if (problems.length === 0) visit(document.contents, keys, "")
  return { values, warnings, problems }
}
