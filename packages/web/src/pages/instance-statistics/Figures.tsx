import type { InstanceMetric } from "@kinora/domain/enums/InstanceMetric"
import { useMemo } from "preact/hooks"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { byteUnit } from "../../i18n/Units.ts"
import { Plot } from "../../ui/Plot.tsx"
import { Export } from "../statistics/Parts.tsx"

const t = text("instanceStatistics")
const shared = text("statistics")

export type Steps = Output<"GET /api/v1/server/stats/timeseries">["data"]

/** Some metrics in one plot, with their export; bytes in the unit that fits the largest. */
export const Figures = ({
  label,
  metrics,
  steps
}: {
  /** What the plot shows; for bytes a message that takes the unit. */
  readonly label: (unit: string) => string
  readonly metrics: ReadonlyArray<InstanceMetric>
  readonly steps: Steps
}) => {
  const unit = useMemo(() => {
    const inBytes = metrics.some((it) => it.endsWith("Bytes"))
    if (!inBytes) return { name: "", size: 1 }
    return byteUnit(Math.max(...steps.flatMap(({ values }) => metrics.map((it) => values[it] ?? 0))))
  }, [metrics, steps])
  const times = useMemo(() => steps.map(({ date }) => Date.parse(date) / 1000), [steps])
  const series = useMemo(
    () =>
      metrics.map((metric) => ({
        label: t(metric),
        values: steps.map(({ values }) => {
          const value = values[metric]
          return value === undefined ? null : Math.round((100 * value) / unit.size) / 100
        })
      })),
    [metrics, steps, unit]
  )
  const what = label(unit.name)
  return (
    <div class="card stack">
      <Plot label={what} times={times} series={series} height={180} />
      <div>
        <Export
          what={what}
          file={metrics.join("-")}
          columns={[shared("date"), ...metrics.map((it) => t(it))]}
          rows={steps.map(({ date, values }) => [date, ...metrics.map((it) => values[it] ?? "")])}
        />
      </div>
    </div>
  )
}
