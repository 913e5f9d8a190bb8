/** What JSON can hold. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

/** An object of JSON. After `normalise`: the names and spellings of `Normalise.ts`, and nothing of JSON-LD. */
export interface JsonObject {
  readonly [name: string]: Json
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
