import type { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { checkSeriesSpan, checkSpan } from "@kinora/domain/requests/StatsQueries"
import type { Json } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser } from "../list/Presented.ts"
import { VideoPermissions } from "../list/VideoPermissions.ts"
import { VideoStatistics } from "./VideoStatistics.ts"

/** The endpoints of video statistics. */
export const layer = apiGroup(
  "videoStats",
  Effect.fnUntraced(function* (handlers) {
    const permissions = yield* VideoPermissions
    const statistics = yield* VideoStatistics

    const figures = <A>(
      id: VideoIdOrUuid,
      request: HttpServerRequest,
      refused: InvalidParameters | undefined,
      read: (videoId: number) => Effect.Effect<Json<A>, DatabaseUnavailable>
    ) =>
      answer(
        Effect.gen(function* () {
          if (refused !== undefined) return yield* refused
          const video = yield* permissions.open(id, yield* presentedByUser(request), "seeFigures")
          return jsonText(yield* read(video.id), { headers: { "cache-control": "no-store" } })
        })
      )

    return handlers.handleAll({
      getVideosStatsOverall: ({ params, query, request }) =>
        figures(params.id, request, checkSpan(query), (id) => statistics.overall(id, query)),
      getVideosStatsRetention: ({ params, request }) => figures(params.id, request, undefined, statistics.retention),
      getVideosStatsTimeseriesByMetric: ({ params, query, request }) =>
        figures(params.id, request, checkSeriesSpan(query), (id) => statistics.series(id, params.metric, query)),
      getVideosStatsUserAgent: ({ params, query, request }) =>
        figures(params.id, request, checkSpan(query), (id) => statistics.userAgents(id, query))
    } satisfies Answers<"videoStats">)
  })
)
