import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { SeriesMetric, statsQuery } from "../requests/StatsQueries.ts"
import { VideoStatsOverall, VideoStatsRetention, VideoStatsTimeserie, VideoStatsUserAgent } from "../wire/VideoStats.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const params = { id: VideoIdOrUuid }
const docs = (summary: string) => ({ summary, problems: problems(400, 403, 404) })

/** Figures of a video for those who work on it, and moderators. */
export class VideoStatsApi extends HttpApiGroup.make("videoStats", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideosStatsOverall", "/api/v1/videos/:id/stats/overall", {
      params,
      query: statsQuery,
      success: VideoStatsOverall
    })
      .middleware(Authenticated)
      .annotate(Docs, docs("Get overall viewing statistics of a video")),
    HttpApiEndpoint.get("getVideosStatsRetention", "/api/v1/videos/:id/stats/retention", {
      params,
      success: VideoStatsRetention
    })
      .middleware(Authenticated)
      .annotate(Docs, docs("Get the retention statistics of a video")),
    HttpApiEndpoint.get("getVideosStatsTimeseriesByMetric", "/api/v1/videos/:id/stats/timeseries/:metric", {
      params: { ...params, metric: SeriesMetric },
      query: statsQuery,
      success: VideoStatsTimeserie
    })
      .middleware(Authenticated)
      .annotate(Docs, docs("Get viewers or watch time of a video over time")),
    HttpApiEndpoint.get("getVideosStatsUserAgent", "/api/v1/videos/:id/stats/user-agent", {
      params,
      query: statsQuery,
      success: VideoStatsUserAgent
    })
      .middleware(Authenticated)
      .annotate(Docs, docs("Get the clients, devices and systems a video was watched with"))
  )
  .annotate(OpenApi.Title, "Video Stats") {}
