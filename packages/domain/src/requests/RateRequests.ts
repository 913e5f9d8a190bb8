import { Schema } from "effect"
import { field } from "../fields/Field.ts"
import { jsonOrForm } from "./Payload.ts"
import { oneOf } from "../fields/Readers.ts"

/** What somebody thinks of a video from now on. */
export const rateVideo = jsonOrForm(
  Schema.Struct({ rating: field(oneOf(["like", "dislike", "none"], "Must be like, dislike or none")) })
)
