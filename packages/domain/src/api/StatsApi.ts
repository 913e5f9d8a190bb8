import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PlaybackMetricCreate } from "../requests/InstanceRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { ServerStats } from "../wire/ServerStats.ts"
import { MaybeAuthenticated } from "./Authentication.ts"
import { Docs } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

/** Figures of the instance. */
export class StatsApi extends HttpApiGroup.make("stats", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getInstanceStats", "/api/v1/server/stats", { success: ServerStats })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "Get statistics of the instance: at most a minute old, fresh for administrators"
      }),
    HttpApiEndpoint.post("postMetricsPlayback", "/api/v1/metrics/playback", {
      payload: jsonOrForm(PlaybackMetricCreate),
      success: HttpApiSchema.NoContent
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Report playback metrics since the last report", problems: videoProblems })
  )
  .annotate(OpenApi.Title, "Stats") {}
