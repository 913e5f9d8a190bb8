import { readFile } from "node:fs/promises"
import type { Plugin } from "esbuild"

const beyondAscii = /[^\0-\x7f]/g

/** The same text in ASCII: each UTF-16 unit as `\uXXXX`, which strings, templates, regular expressions and names take. */
const escaped = (text: string): string =>
  text.replace(beyondAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * Keeps the bundle free of characters beyond ASCII. esbuild escapes them in strings but not in tagged templates and
 * regular expressions, and a single one has V8 hold the whole source in two bytes a character: 8 MiB of a node at
 * rest. Only the raw text of a tagged template (`String.raw`) would differ: none has such characters.
 */
export const asciiSources: Plugin = {
  name: "ascii-sources",
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      const contents = escaped(text)
      return contents === text ? undefined : { contents, loader: path.endsWith("ts") ? "ts" : "js" }
    })
  }
}
