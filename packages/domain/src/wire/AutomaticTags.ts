import { Schema } from "effect"

/** Tags whose comments wait for review (contract: CommentAutoTagPolicies). */
export const CommentAutoTagPolicies = Schema.Struct({ review: Schema.Array(Schema.String) }).annotate({
  identifier: "CommentAutoTagPolicies"
})

/** Tags whose videos are blocked (contract: VideoAutoTagPolicies). */
export const VideoAutoTagPolicies = Schema.Struct({ autoBlock: Schema.Array(Schema.String) }).annotate({
  identifier: "VideoAutoTagPolicies"
})

/** Tags that can be chosen: those of the program, and one for each list of watched words (contract: AutomaticTagAvailable). */
export const AutomaticTagAvailable = Schema.Struct({
  available: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.Literals(["core", "watched-words-list"]) }))
}).annotate({ identifier: "AutomaticTagAvailable" })
export type AutomaticTagAvailable = typeof AutomaticTagAvailable.Type
