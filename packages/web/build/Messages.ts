import { parse, type Token } from "@messageformat/parser"
import type { Plugin } from "esbuild"
import { pathToFileURL } from "node:url"
import type { Message, Part } from "../src/i18n/Format.ts"

const kinds = ["number", "date", "time"] as const

const partOf = (token: Token): Part => {
  switch (token.type) {
    case "content":
      return token.value
    case "octothorpe":
      return ["#"]
    case "argument":
      return [token.arg]
    case "function": {
      const kind = kinds.find((it) => it === token.key)
      if (kind === undefined) throw new Error(`unknown format "${token.key}"`)
      const style = (token.param ?? []).map((it) => (it.type === "content" ? it.value : "")).join("")
      return [token.arg, kind, style.trim()]
    }
    default: {
      const cases = Object.fromEntries(token.cases.map(({ key, tokens }) => [key, messageOf(tokens)]))
      if (cases["other"] === undefined) throw new Error(`"${token.arg}" has no case "other"`)
      return [token.arg, token.type, token.pluralOffset ?? 0, cases]
    }
  }
}

const messageOf = (tokens: ReadonlyArray<Token>): Message => {
  const parts = tokens.map(partOf)
  if (parts.length === 0) return ""
  const [first] = parts
  return parts.length === 1 && typeof first === "string" ? first : parts
}

/** Compiles an ICU message; what is wrong with it fails the build. */
export const compile = (text: string): Message => messageOf(parse(text))

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
