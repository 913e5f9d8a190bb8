import { Context, Effect } from "effect"

/** Points of the pipeline at which a crash has different consequences. */
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

/** Called at each step. Does nothing, but tests let it crash. */
export const StepObserver = Context.Reference<(step: Step) => Effect.Effect<void>>(
  "@kinora/node/processing/StepObserver",
  { defaultValue: () => () => Effect.void }
)

/** Reports that a step is reached. */
export const reached = (step: Step): Effect.Effect<void> => Effect.flatMap(StepObserver, (observe) => observe(step))
