import { Data } from "effect"

/** A tracker gave nothing: `silent` where no answer came, `answer` where it makes no sense or is a refusal. */
export class TrackerFailed extends Data.TaggedError("TrackerFailed")<{ readonly why: "silent" | "answer" }> {}
