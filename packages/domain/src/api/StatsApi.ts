import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PlaybackMetricCreate } from "../requests/InstanceRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { statsQuery } from "../requests/StatsQueries.ts"
import { InstanceTimeSeries } from "../wire/InstanceTimeSeries.ts"
import { ServerStats } from "../wire/ServerStats.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

/** Figures of the instance. */
export class StatsApi extends HttpApiGroup.make("stats", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getInstanceStats", "/api/v1/server/stats", { success: ServerStats })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "Get statistics of the instance: at most a minute old, fresh for administrators"
      }),
    HttpApiEndpoint.get("getInstanceTimeSeries", "/api/v1/server/stats/timeseries", {
      query: statsQuery,
      success: InstanceTimeSeries
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Get figures of the instance over time: by hour up to eight days, by day beyond; 30 days by default",
        right: "MANAGE_DEBUG",
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.post("postMetricsPlayback", "/api/v1/metrics/playback", {
      payload: jsonOrForm(PlaybackMetricCreate),
      success: HttpApiSchema.NoContent
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Report playback metrics since the last report", problems: videoProblems })
  )
  .annotate(OpenApi.Title, "Stats") {}
