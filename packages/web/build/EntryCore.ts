import type { Metafile, Plugin } from "esbuild"
import { readFile } from "node:fs/promises"
import { extname, resolve } from "node:path"

const core = "entry-core"

/** Modules that a page fetches with its entry: what the entry imports, and what that imports, but nothing that is imported when it is wanted. */
const modulesOf = ({ inputs }: Metafile, entry: string): ReadonlyArray<string> => {
  const met = new Set<string>()
  const visit = (path: string): void => {
    if (met.has(path)) return
    met.add(path)
    for (const it of inputs[path]?.imports ?? []) {
      if (it.kind !== "dynamic-import" && it.external !== true && it.path in inputs) visit(it.path)
    }
  }
  visit(entry)
  met.delete(entry)
  return [...met]
}

/** What a file is read as: the same as esbuild does by itself. */
const loaders = { ".ts": "ts", ".tsx": "tsx" } as const

/** Texts and libraries stay as they are: they need nothing of the page. */
const isOwn = (path: string): path is `${string}${keyof typeof loaders}` =>
  /[\\/]packages[\\/]web[\\/]src[\\/]/.test(path) && !/[\\/]messages[\\/]/.test(path) && extname(path) in loaders

/**
 * Puts everything that an entry imports at once into one chunk. esbuild makes a chunk for each set of parts that share a module,
 * which gave a watch page thirty files of a kilobyte; here each part that is imported later says that it needs all of the entry's
 * modules, which are there by then. `metafile` is of a build of the same entry.
 */
export const entryCore = (directory: string, metafile: Metafile, entry: string): Plugin => ({
  name: core,
  setup: (build) => {
    const modules = modulesOf(metafile, entry)
      // Virtual modules belong to a plugin, and are small.
      .filter((it) => !/^[a-z][\w./-]+:/.test(it))
      .map((it) => resolve(directory, it))
    const later = new Set([resolve(directory, entry)])
    build.onResolve({ filter: new RegExp(`^${core}$`) }, () => ({ path: core, namespace: core, sideEffects: true }))
    build.onLoad({ filter: /.*/, namespace: core }, () => ({
      contents: modules.map((it) => `import ${JSON.stringify(it)}`).join("\n"),
      resolveDir: directory
    }))
    build.onResolve({ filter: /^\.\.?\// }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (kind !== "dynamic-import" || pluginData === core) return undefined
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: core })
      later.add(found.path)
      return found
    })
    build.onLoad({ filter: /\.tsx?$/ }, async ({ namespace, path }) => {
      if (namespace !== "file" || !later.has(path) || !isOwn(path)) return undefined
      const loader = loaders[extname(path) as keyof typeof loaders]
      return { contents: `import "${core}"\n${await readFile(path, "utf8")}`, loader }
    })
  }
})
