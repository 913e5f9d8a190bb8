import { decision } from "./ApproveReply.ts"

/** The comment is not going to be shown: one that was held until then goes. */
export const rejectReply = decision((effects, comment) => effects.rejectReply(comment.id))
