import { TracesExported } from "@kinora/storage/platform/jobs/TracesExported"
import { Effect, Option, type Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** Makes a span of an effect, where somebody collects spans; else leaves it as it is. */
export type Traced = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  options: Tracer.SpanOptionsNoTrace
) => Effect.Effect<A, E, R>

/**
 * For what happens by the thousand, so that it pays for no span that nobody sees. Read when a layer is built: fibers with a lean
 * context do not know whether traces are exported.
 */
export const traced: Effect.Effect<Traced> = Effect.map(
  TracesExported,
  (exported): Traced =>
    (effect, name, options) =>
      exported ? (Effect.withSpan(effect, name, options) as typeof effect) : effect
)

/** A link to a span that is given as the header `traceparent` of W3C has it; none where it is not one. */
export const linksTo = (traceparent: string | null): ReadonlyArray<Tracer.SpanLink> => {
  if (traceparent === null) return []
  const span = HttpTraceContext.w3c(Headers.fromInput({ traceparent }))
  return Option.isNone(span) ? [] : [{ span: span.value, attributes: {} }]
}
