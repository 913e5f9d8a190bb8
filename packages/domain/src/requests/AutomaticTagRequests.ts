import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { field, optional } from "../fields/Field.ts"
import { listOf, text } from "../fields/Readers.ts"
import { jsonOrForm } from "./Payload.ts"

const { listName } = constraints.watchedWords

const names = listOf(
  text({ ...listName, message: "" }),
  `Must be a list of names of tags, each of at most ${listName.max} characters`,
  { type: "array", items: { type: "string", maxLength: listName.max } }
)

/** Body of the comments policy of an account. It replaces the tags that were chosen before; a form without any chooses none. */
export const commentAutoTagPolicies = jsonOrForm(Schema.Struct({ review: optional(names) }))

/** Body of the videos policy of the instance: the tags must be named, so that a body without them ends no policy. */
export const videoAutoTagPolicies = jsonOrForm(Schema.Struct({ autoBlock: field(names) }))
