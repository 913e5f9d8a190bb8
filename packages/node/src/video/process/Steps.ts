import { Context, Effect } from "effect"

/** A point of the pipeline at which a crash is different from one before. */
export type Step =
  | "publish:adopted"
  | "publish:made"
  | "publish:stored"
  | "publish:committed"
  | "transcode:made"
  | "transcode:stored"
  | "transcode:committed"
  | "storyboard:made"
  | "storyboard:stored"
  | "storyboard:committed"

/** What happens at each step: nothing, but tests put a crash here. */
export const StepObserver = Context.Reference<(step: Step) => Effect.Effect<void>>(
  "@kinora/node/processing/StepObserver",
  { defaultValue: () => () => Effect.void }
)

/** Says that a step is reached. */
export const reached = (step: Step): Effect.Effect<void> => Effect.flatMap(StepObserver, (observe) => observe(step))
