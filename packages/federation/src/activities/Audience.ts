import { Schema } from "effect"
import type { JsonObject } from "../vocabulary/Json.ts"
import { publicCollection } from "../vocabulary/Terms.ts"

/** Whom an activity or an object is addressed to. */
export const Audience = Schema.Struct({ to: Schema.Array(Schema.String), cc: Schema.Array(Schema.String) })
export type Audience = typeof Audience.Type

/** Everybody, and these. */
export const publicAudience = (
  to: ReadonlyArray<string> = [],
  cc: ReadonlyArray<string> = []
): { readonly to: ReadonlyArray<string>; readonly cc: ReadonlyArray<string> } => ({ to: [publicCollection, ...to], cc })

const isAudience = Schema.is(Audience)

/** Whom an object says it is for; undefined where it does not. */
export const audienceOf = (object: JsonObject): Audience | undefined => {
  const audience = { to: object["to"], cc: object["cc"] ?? [] }
  return isAudience(audience) ? audience : undefined
}
