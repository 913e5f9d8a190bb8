import { Data } from "effect"

/** A tracker gave no peers. `silent`: no answer came; `answer`: the answer was invalid or a refusal. */
export class TrackerFailed extends Data.TaggedError("TrackerFailed")<{ readonly why: "silent" | "answer" }> {}
