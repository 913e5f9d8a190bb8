import { answerOf } from "./Answer.ts"

/** One of ours may not follow the sender, or no longer. */
export const reject = answerOf("rejected")
