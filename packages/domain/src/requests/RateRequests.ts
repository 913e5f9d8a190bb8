import { Schema } from "effect"
import { field } from "./Field.ts"
import { jsonOrForm } from "./Payload.ts"
import { oneOf } from "./Readers.ts"

/** What somebody thinks of a video from now on. */
export const rateVideo = jsonOrForm(
  Schema.Struct({ rating: field(oneOf(["like", "dislike", "none"], "Must be like, dislike or none")) })
)
