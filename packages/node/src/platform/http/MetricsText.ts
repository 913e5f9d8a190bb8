import { durationBuckets, type HttpMetrics } from "./HttpMetrics.ts"

/** One value of a metric with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** Ending of the name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
}

/** A metric with all its values, as the text format lists it. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: ReadonlyArray<Sample>
}

const escapeLabel = (value: string): string => value.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))

const line = (name: string, sample: Sample): string => {
  const labels = Object.entries(sample.labels ?? {})
    .map(([key, value]) => `${key}="${escapeLabel(value)}"`)
    .join(",")
  const value = Number.isFinite(sample.value) ? String(sample.value) : sample.value > 0 ? "+Inf" : "NaN"
  return `${name}${sample.suffix ?? ""}${labels === "" ? "" : `{${labels}}`} ${value}`
}

/** Prometheus text exposition format, version 0.0.4. */
export const metricsText = (families: ReadonlyArray<MetricFamily>): string =>
  families
    .map(({ help, name, samples, type }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => line(name, sample))].join("\n")
    )
    .join("\n") + "\n"

/** The requests a server has counted. */
export const requestFamilies = (metrics: HttpMetrics["Service"]): ReadonlyArray<MetricFamily> => {
  const series = metrics.series()
  const labelsOf = (one: (typeof series)[number]) => ({ family: one.family, method: one.method, status: one.status })
  return [
    {
      name: "kinora_http_requests_total",
      help: "Answered requests by path family, method and class of status",
      type: "counter",
      samples: series.map((one) => ({ labels: labelsOf(one), value: one.count }))
    },
    {
      name: "kinora_http_response_bytes_total",
      help: "Bytes of answered bodies",
      type: "counter",
      samples: series.map((one) => ({ labels: labelsOf(one), value: one.bytes }))
    },
    {
      name: "kinora_http_request_duration_seconds",
      help: "Time from the head of a request to its answer",
      type: "histogram",
      samples: series.flatMap((one) => {
        let running = 0
        const buckets = durationBuckets.map((bound, i) => {
          running += one.buckets[i] as number
          return { suffix: "_bucket", labels: { ...labelsOf(one), le: String(bound) }, value: running }
        })
        return [
          ...buckets,
          { suffix: "_bucket", labels: { ...labelsOf(one), le: "+Inf" }, value: one.count },
          { suffix: "_sum", labels: labelsOf(one), value: one.seconds },
          { suffix: "_count", labels: labelsOf(one), value: one.count }
        ]
      })
    },
    {
      name: "kinora_http_requests_in_flight",
      help: "Requests that are being served",
      type: "gauge",
      samples: [{ value: metrics.inFlight.count }]
    }
  ]
}
