import { Schema } from "effect"
import { field, type Reader } from "../fields/Field.ts"
import { nullable } from "../fields/Readers.ts"

/** A language tag with at most a script or region (RFC 5646, 2.1), such as `fr`, `pt-BR`, `zh-Hans-CN`. */
const language: Reader<string> = {
  message: "Must be the code of a language, or null",
  documented: { type: "string", maxLength: 20 },
  parse: (input) =>
    typeof input === "string" && /^[a-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|\d{3}))?$/.test(input)
      ? input
      : undefined
}

/** Body of `POST /client-config/update-interface-language`; null: that of the browser. */
export const InterfaceLanguage = Schema.Struct({ language: field(nullable(language)) })
export type InterfaceLanguage = typeof InterfaceLanguage.Type
