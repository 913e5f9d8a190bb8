import { constraints } from "../enums/Constraints.ts"
import { InvalidParameters } from "../errors/RequestErrors.ts"
import { field } from "../fields/Field.ts"
import { moment } from "../fields/Moment.ts"
import { query, type QueryOf } from "./Query.ts"
import { oneOf } from "../fields/Readers.ts"

const readers = { startDate: moment, endDate: moment }

/** The span figures of a video are asked for. */
export const statsQuery = query(readers)
export type StatsQuery = QueryOf<typeof readers>

const seriesMetrics = ["viewers", "aggregateWatchTime"] as const
export const SeriesMetric = field(oneOf(seriesMetrics, `Must be one of ${seriesMetrics.join(", ")}`))

const dayMillis = 86_400_000
const { maxDays } = constraints.stats.series

/** Refuses a span that ends before it begins. */
export const checkSpan = ({ endDate, startDate }: StatsQuery): InvalidParameters | undefined =>
  startDate !== undefined && endDate !== undefined && startDate > endDate
    ? InvalidParameters.one("endDate", "Must not be before startDate", "query", endDate)
    : undefined

/** Refuses spans of a series with one end only, and those that are too long (contract: stats.timeserie.maxDays). */
export const checkSeriesSpan = (asked: StatsQuery): InvalidParameters | undefined => {
  const { endDate, startDate } = asked
  if ((startDate === undefined) !== (endDate === undefined)) {
    const missing = startDate === undefined ? "startDate" : "endDate"
    return InvalidParameters.one(missing, "Must be given when the other end of the span is", "query")
  }
  if (startDate !== undefined && endDate !== undefined && daysBetween(startDate, endDate) > maxDays) {
    return InvalidParameters.one("startDate", `Must be at most ${maxDays} days before endDate`, "query", startDate)
  }
  return checkSpan(asked)
}

/** Days, with fractions, from one instant to another. */
export const daysBetween = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / dayMillis
