import { Effect } from "effect"

/** Waits until a condition holds, looking again at each turn of the event loop. */
export const until = (condition: () => boolean) =>
  Effect.callback<void>((resume) => {
    const look = () => {
      if (condition()) resume(Effect.void)
      else again = setTimeout(look, 5)
    }
    let again: NodeJS.Timeout | undefined
    look()
    return Effect.sync(() => clearTimeout(again))
  })
