import type { ValuesOf } from "./Arguments.ts"
import { compile } from "./Compile.ts"
import { format, type Message, type Values } from "./Format.ts"

/** Says the messages of an area in a language. Each is compiled when it is first said. */
export const sayIn = <const M extends Readonly<Record<string, string>>>(
  language: string,
  messages: { readonly [K in keyof M]: string }
): (<K extends keyof M & string>(key: K, ...values: ValuesOf<M[K]>) => string) => {
  const compiled = new Map<string, Message>()
  return (key, ...[values = {}]) => {
    const known = compiled.get(key) ?? compile(messages[key])
    compiled.set(key, known)
    return format(known, values as Values, language)
  }
}
