import { type Effect, Metric } from "effect"

/** A counter of outcomes: until one of them has come about, it stands at zero. */
export interface CountedOutcomes {
  readonly name: string
  readonly description: string
  readonly outcomes: ReadonlyArray<string>
}

const counters: Array<CountedOutcomes> = []

/** Every counter of outcomes of the program, so that all their series are there from its start: alerts look for their growth. */
export const countedOutcomes = (): ReadonlyArray<CountedOutcomes> => counters

/**
 * A counter with one label, `outcome`, for each of these. Series are made once: counting costs a fraction of a microsecond. Call it
 * once for a name, when a module is loaded.
 */
export const countOutcomes = <const Outcome extends string>(
  name: string,
  description: string,
  outcomes: ReadonlyArray<Outcome>
) => {
  counters.push({ name, description, outcomes })
  const counter = Metric.counter(name, { description, incremental: true })
  const series = new Map(outcomes.map((outcome) => [outcome, Metric.withAttributes(counter, { outcome })]))
  return (outcome: Outcome, by = 1): Effect.Effect<void> => Metric.update(series.get(outcome)!, by)
}
