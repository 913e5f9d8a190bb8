import { parse, type Token } from "@messageformat/parser"
import type { Message, Part } from "./Format.ts"

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

/** Compiles an ICU message. Throws when it is not one. */
export const compile = (text: string): Message => messageOf(parse(text))
