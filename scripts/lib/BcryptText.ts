import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Plugin } from "esbuild"

/** Has the bundle the text of bcryptjs in place of the module that reads it from disk. */
export const bcryptText: Plugin = {
  name: "bcrypt-text",
  setup(build) {
    build.onLoad({ filter: /[\\/]node[\\/]src[\\/]people[\\/]session[\\/]BcryptLibrary\.ts$/ }, () => {
      const text = readFileSync(createRequire(import.meta.url).resolve("bcryptjs"), "utf8")
      return { contents: `export const bcryptLibrary = () => ${JSON.stringify(text)}`, loader: "js" }
    })
  }
}
