import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** No such comment, or one the reader may not know of. */
export class CommentNotFound extends Problem<CommentNotFound>()("CommentNotFound", {
  status: 404,
  detail: "Comment not found"
}) {}

/** The comment is below another video. */
export class CommentNotAssociatedToVideo extends Problem<CommentNotAssociatedToVideo>()("CommentNotAssociatedToVideo", {
  status: 400,
  code: "comment_not_associated_to_video",
  detail: "This comment is not one of this video"
}) {}

/** The comment is a reply: it has no thread of its own. */
export class CommentIsNoThread extends Problem<CommentIsNoThread>()("CommentIsNoThread", {
  status: 400,
  detail: "This comment is a reply, not the first of a thread"
}) {}

/** The comment was approved before, or never had to be. */
export class CommentNotHeld extends Problem<CommentNotHeld>()("CommentNotHeld", {
  status: 400,
  detail: "This comment does not wait for review"
}) {}

/** The video, or what is replied to, takes no comment at the moment. */
export class CommentRefused extends Problem<CommentRefused>()("CommentRefused", {
  status: 409,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}
