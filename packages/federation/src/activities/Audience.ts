import { Schema } from "effect"
import { publicCollection } from "../vocabulary/Terms.ts"

/** Whom an activity or an object is addressed to. */
export const Audience = Schema.Struct({ to: Schema.Array(Schema.String), cc: Schema.Array(Schema.String) })
export type Audience = typeof Audience.Type

/** Everybody, and these. */
export const publicAudience = (
  to: ReadonlyArray<string> = [],
  cc: ReadonlyArray<string> = []
): { readonly to: ReadonlyArray<string>; readonly cc: ReadonlyArray<string> } => ({ to: [publicCollection, ...to], cc })
