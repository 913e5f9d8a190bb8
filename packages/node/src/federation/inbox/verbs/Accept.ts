import { answerOf } from "./Answer.ts"

/** One of ours may follow the sender from now on. */
export const accept = answerOf("accepted")
