import { builtinModules } from "node:module"
import type { Plugin } from "esbuild"

const names = new Set(builtinModules)

/**
 * Has the bundle `require` Node's own modules instead of importing them. An import reads every export to fill its
 * namespace, and so loads what Node itself loads lazily: `node:http` the whole fetch client, `node:crypto` all of Web
 * Crypto. That is a seventh of a warm start.
 */
export const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?[a-z_/\d]+$/ }, ({ kind, path }) => {
      const name = path.replace(/^node:/, "")
      const isImport = kind === "import-statement" || kind === "dynamic-import"
      return isImport && names.has(name) ? { path: name, namespace: "node-builtin" } : undefined
    })
    build.onLoad({ filter: /.*/, namespace: "node-builtin" }, ({ path }) => ({
      contents: `module.exports = require("node:${path}")`,
      loader: "js"
    }))
  }
}
