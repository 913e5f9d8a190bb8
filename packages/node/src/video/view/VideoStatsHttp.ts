import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { checkSeriesSpan, checkSpan, daysBetween, type StatsQuery } from "@kinora/domain/requests/StatsQueries"
import type { Json } from "@kinora/domain/wire/Json"
import { type SeriesStep, type StatsSpan, ViewStats } from "@kinora/storage/video/view/ViewStats"
import { DateTime, Effect, Semaphore } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { maySeeFigures } from "../list/VideoRights.ts"

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

/** The endpoints of video statistics. */
export const layer = apiGroup(
  "videoStats",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const stats = yield* ViewStats
    const turns = yield* Semaphore.make(atOnce)

    const figures = <A>(
      id: VideoIdOrUuid,
      request: HttpServerRequest,
      refused: InvalidParameters | undefined,
      read: (videoId: number) => Effect.Effect<Json<A>, DatabaseUnavailable>
    ) =>
      answer(
        Effect.gen(function* () {
          if (refused !== undefined) return yield* refused
          const asked = yield* presentedByUser(request)
          const video = yield* access.open(id, asked)
          if (video.remote) {
            return yield* new Forbidden({ reason: "The statistics of a video are kept by its own instance" })
          }
          if (!maySeeFigures(video, asked.user)) {
            return yield* new Forbidden({
              reason: "Only its owner, collaborators and moderators may see the statistics of a video"
            })
          }
          return jsonText(yield* turns.withPermits(1)(read(video.id)), { headers: { "cache-control": "no-store" } })
        })
      )

    return handlers.handleAll({
      getVideosStatsOverall: ({ params, query, request }) =>
        figures(params.id, request, checkSpan(query), (id) => stats.overall(id, spanOf(query))),
      getVideosStatsRetention: ({ params, request }) => figures(params.id, request, undefined, stats.retention),
      getVideosStatsTimeseriesByMetric: ({ params, query, request }) =>
        figures(
          params.id,
          request,
          checkSeriesSpan(query),
          Effect.fnUntraced(function* (id) {
            const now = yield* DateTime.now
            const start = query.startDate ?? DateTime.formatIso(DateTime.subtract(now, { days: usualDays }))
            const end = query.endDate ?? DateTime.formatIso(now)
            return yield* stats.series(id, {
              metric: params.metric,
              start,
              end,
              step: stepFor(daysBetween(start, end))
            })
          })
        ),
      getVideosStatsUserAgent: ({ params, query, request }) =>
        figures(params.id, request, checkSpan(query), (id) => stats.userAgents(id, spanOf(query)))
    } satisfies Answers<"videoStats">)
  })
)
