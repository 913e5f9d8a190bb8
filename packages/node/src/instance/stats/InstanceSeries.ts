import { type InstanceMetric, instanceCounts } from "@kinora/domain/enums/InstanceMetric"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { daysBetween, type StatsQuery } from "@kinora/domain/requests/StatsQueries"
import type { InstanceTimeSeries } from "@kinora/domain/wire/InstanceTimeSeries"
import { InstanceSamples, type Sample } from "@kinora/storage/instance/stats/InstanceSamples"
import { Context, DateTime, Effect, Layer } from "effect"

const defaultDays = 30
/** Beyond it there would be more points than a plot has room for. */
const maxDaysByHour = 8

const counts: ReadonlySet<string> = new Set(instanceCounts)

/** The samples of each step together. Counts are added up; of levels the last stands. */
const bySteps = (samples: ReadonlyArray<Sample>): InstanceTimeSeries["data"] => {
  const steps = new Map<string, Partial<Record<InstanceMetric, number>>>()
  for (const { date, last, metric, total } of samples) {
    const values = steps.get(date) ?? {}
    values[metric] = counts.has(metric) ? total : last
    steps.set(date, values)
  }
  return Array.from(steps, ([date, values]) => ({ date, values }))
}

/** Figures of the instance over time. */
export class InstanceSeries extends Context.Service<
  InstanceSeries,
  {
    /** In a span that was checked; the last 30 days by default. */
    readonly read: (span: StatsQuery) => Effect.Effect<InstanceTimeSeries, DatabaseUnavailable>
  }
>()("@kinora/node/stats/InstanceSeries") {
  static readonly layer = Layer.effect(
    InstanceSeries,
    Effect.gen(function* () {
      const samples = yield* InstanceSamples
      const read = Effect.fn("InstanceSeries.read")(function* ({ endDate, startDate }: StatsQuery) {
        const now = yield* DateTime.now
        const end = endDate ?? DateTime.formatIso(now)
        const start = startDate ?? DateTime.formatIso(DateTime.subtract(now, { days: defaultDays }))
        const step = daysBetween(start, end) <= maxDaysByHour ? "hour" : "day"
        const data = bySteps(yield* samples.read(start, end, step))
        return { groupInterval: `1 ${step}`, data } satisfies InstanceTimeSeries
      })
      return InstanceSeries.of({ read })
    })
  )
}
