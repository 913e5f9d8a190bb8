import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { ReplaceChapters } from "../requests/ChapterRequests.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { VideoChapters } from "../wire/VideoAnswers.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

const path = "/api/v1/videos/:id/chapters"
const params = { id: VideoIdOrUuid }

/** What is where in a video. */
export class VideoChaptersApi extends HttpApiGroup.make("videoChapters", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoChapters", path, { params, headers: videoPasswordHeader, success: VideoChapters })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the chapters of a video in order", problems: videoProblems }),
    HttpApiEndpoint.put("replaceVideoChapters", path, {
      params,
      payload: ReplaceChapters,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Replace the chapters of a video",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Video Chapters") {}
