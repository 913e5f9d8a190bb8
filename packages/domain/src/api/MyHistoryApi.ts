import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { historyQuery, removeHistory } from "../requests/HistoryRequests.ts"
import { VideoList } from "../wire/Video.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const history = "/api/v1/users/me/history/videos"

/** What the user who asks has watched. */
export class MyHistoryApi extends HttpApiGroup.make("myHistory", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsersMeHistoryVideos", history, { query: historyQuery, success: VideoList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the user's viewing history, newest first", problems: problems(400) }),
    HttpApiEndpoint.delete("deleteUsersMeHistoryVideosByVideoIdOrUUID", `${history}/:videoIdOrUUID`, {
      params: { videoIdOrUUID: VideoIdOrUuid },
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Remove a video from the viewing history", problems: problems(400, 404) }),
    HttpApiEndpoint.post("postUsersMeHistoryVideosRemove", `${history}/remove`, {
      payload: removeHistory,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Clear the viewing history, all of it or up to a date", problems: problems(400) })
  )
  .annotate(OpenApi.Title, "My History") {}
