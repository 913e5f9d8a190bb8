import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { daysBetween, type StatsQuery } from "@kinora/domain/requests/StatsQueries"
import type { Json } from "@kinora/domain/wire/Json"
import type {
  VideoStatsOverall,
  VideoStatsRetention,
  VideoStatsTimeserie,
  VideoStatsUserAgent
} from "@kinora/domain/wire/VideoStats"
import { type Series, type SeriesStep, type StatsSpan, ViewStats } from "@kinora/storage/video/view/ViewStats"
import { Context, DateTime, Effect, Layer, Semaphore } from "effect"

type Figures<A> = Effect.Effect<Json<A>, DatabaseUnavailable>

/** Maximum number of days for each step, so that a series has a few hundred points at most. */
const steps: ReadonlyArray<readonly [days: number, step: SeriesStep]> = [
  [1 / 24, "1 minute"],
  [1, "10 minutes"],
  [7, "1 hour"],
  [92, "1 day"],
  [730, "7 days"]
]
const stepFor = (days: number): SeriesStep => steps.find(([longest]) => days <= longest)?.[1] ?? "1 month"

/** Statistics that are computed at the same time: those of a video with millions of views take seconds. */
const atOnce = 2

/** Default length of a series in days. */
const usualDays = 30

const spanOf = ({ endDate, startDate }: StatsQuery): StatsSpan => ({ start: startDate, end: endDate })

/** Statistics of a video's viewers as JSON text, a few at a time. Who may see them is decided before. */
export class VideoStatistics extends Context.Service<
  VideoStatistics,
  {
    readonly overall: (videoId: number, query: StatsQuery) => Figures<VideoStatsOverall>
    readonly retention: (videoId: number) => Figures<VideoStatsRetention>
    /** By default of the last 30 days. The longer the span, the longer its steps. */
    readonly series: (videoId: number, metric: Series["metric"], query: StatsQuery) => Figures<VideoStatsTimeserie>
    readonly userAgents: (videoId: number, query: StatsQuery) => Figures<VideoStatsUserAgent>
  }
>()("@kinora/node/video/view/VideoStatistics") {
  static readonly layer = Layer.effect(
    VideoStatistics,
    Effect.gen(function* () {
      const stats = yield* ViewStats
      const turns = (yield* Semaphore.make(atOnce)).withPermits(1)

      const series = Effect.fnUntraced(function* (videoId: number, metric: Series["metric"], query: StatsQuery) {
        const now = yield* DateTime.now
        const start = query.startDate ?? DateTime.formatIso(DateTime.subtract(now, { days: usualDays }))
        const end = query.endDate ?? DateTime.formatIso(now)
        return yield* stats.series(videoId, { metric, start, end, step: stepFor(daysBetween(start, end)) })
      })

      return VideoStatistics.of({
        overall: (videoId, query) => turns(stats.overall(videoId, spanOf(query))),
        retention: (videoId) => turns(stats.retention(videoId)),
        series: (videoId, metric, query) => turns(series(videoId, metric, query)),
        userAgents: (videoId, query) => turns(stats.userAgents(videoId, spanOf(query)))
      })
    })
  )
}
