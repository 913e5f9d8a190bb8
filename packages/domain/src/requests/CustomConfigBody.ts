import { Schema } from "effect"
import { optional, type Reader } from "../fields/Field.ts"
import { CustomConfig } from "../wire/CustomConfig.ts"

/** A group of settings. Its members are read by the kinds of the configuration, which name each that is wrong. */
const group: Reader<Readonly<Record<string, unknown>>> = {
  message: "Must be an object",
  documented: { type: "object", additionalProperties: true },
  parse: (input) =>
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? (input as Readonly<Record<string, unknown>>)
      : undefined
}

const groups = [...Object.keys(CustomConfig.fields), "storyboard"]

/** Body of `PUT /config/custom`: `CustomConfig`, or any part of it. */
export const CustomConfigBody = Schema.Struct(Object.fromEntries(groups.map((name) => [name, optional(group)])))
export type CustomConfigBody = typeof CustomConfigBody.Type
