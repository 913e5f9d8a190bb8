import { Context, Layer } from "effect"

/** Upper bounds of the duration histogram, in seconds. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

export interface RequestSeries {
  readonly family: string
  readonly method: string
  /** "2xx" … "5xx". */
  readonly status: string
  count: number
  bytes: number
  seconds: number
  readonly buckets: Array<number>
}

/**
 * Counts of requests by path family, method and class of status. Recording is plain arithmetic: it is on the way of
 * every request. The label sets are closed, so that the number of series has a bound.
 */
export class HttpMetrics extends Context.Service<
  HttpMetrics,
  {
    record(family: string, method: string, status: number, millis: number, bytes: number): void
    readonly series: () => ReadonlyArray<RequestSeries>
    /** Requests that are being served. */
    readonly inFlight: { count: number }
  }
>()("@kinora/node/http/HttpMetrics") {
  static readonly layer = Layer.sync(HttpMetrics, () => makeHttpMetrics())
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const makeHttpMetrics = (): HttpMetrics["Service"] => {
  const all = new Map<string, RequestSeries>()
  return {
    inFlight: { count: 0 },
    series: () => Array.from(all.values()),
    record: (family, method, status, millis, bytes) => {
      const known = methods.has(method) ? method : "other"
      const statusClass = `${Math.floor(status / 100)}xx`
      const key = family + known + statusClass
      let series = all.get(key)
      if (series === undefined) {
        series = {
          family,
          method: known,
          status: statusClass,
          count: 0,
          bytes: 0,
          seconds: 0,
          buckets: Array(durationBuckets.length).fill(0) as Array<number>
        }
        all.set(key, series)
      }
      const seconds = millis / 1000
      series.count++
      series.bytes += bytes
      series.seconds += seconds
      for (let i = 0; i < durationBuckets.length; i++) {
        if (seconds <= (durationBuckets[i] as number)) {
          series.buckets[i] = (series.buckets[i] as number) + 1
          break
        }
      }
    }
  }
}
