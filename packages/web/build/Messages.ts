import { compile } from "@kinora/domain/i18n/Compile"
import type { Plugin } from "esbuild"
import { pathToFileURL } from "node:url"

/** Files of messages, `src/messages/<language>/<area>.ts`, reach the browser compiled: it has no parser. */
export const compiledMessages: Plugin = {
  name: "messages",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]messages[\\/][a-z-]+[\\/][a-z][A-Za-z-]*\.ts$/ }, async ({ path }) => {
      const { messages } = (await import(pathToFileURL(path).href)) as {
        readonly messages: Readonly<Record<string, string>>
      }
      const compiled = Object.entries(messages).map(([key, text]) => {
        try {
          return [key, compile(text)] as const
        } catch (cause) {
          throw new Error(`${path}: ${key}: ${String(cause)}`, { cause })
        }
      })
      return { contents: `export const messages = ${JSON.stringify(Object.fromEntries(compiled))}`, loader: "js" }
    })
  }
}
