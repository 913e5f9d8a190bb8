import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { constraints } from "../enums/Constraints.ts"
import { optional } from "../fields/Field.ts"
import { moment } from "../fields/Moment.ts"
import { countReader, startReader } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { query } from "./Query.ts"
import { nullable, text } from "../fields/Readers.ts"

/** A page of what the user has watched. */
export const historyQuery = query({
  start: startReader,
  count: countReader,
  search: text({ ...constraints.search, message: `Must be a text of at most ${constraints.search.max} characters` })
})

const RemoveHistory = Schema.Struct({
  beforeDate: optional(nullable(moment))
})

/** Up to when a history is forgotten: as the form that is documented, or as JSON. */
export const removeHistory = [
  ...jsonOrForm(RemoveHistory),
  RemoveHistory.pipe(
    HttpApiSchema.asMultipart({ maxParts: 10, maxFieldSize: 1024, maxFileSize: 1024, maxTotalSize: 16_384 })
  )
] as const
