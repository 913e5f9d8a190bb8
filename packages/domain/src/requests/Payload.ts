import type { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** A body as JSON, as it is documented, or as the form that some clients send in its place. */
export const jsonOrForm = <S extends Schema.Top>(schema: S) =>
  [schema.pipe(HttpApiSchema.asJson()), schema.pipe(HttpApiSchema.asFormUrlEncoded())] as const
