import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { optional } from "../fields/Field.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { oneOf } from "../fields/Readers.ts"
import { videoListQuery } from "../requests/VideoListQuery.ts"
import { VideoDetails, VideoList } from "../wire/Video.ts"
import { Labels, StoryboardList, VideoDescription, VideoTokenResponse } from "../wire/VideoAnswers.ts"
import { VideoSource } from "../wire/VideoFile.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

const params = { id: VideoIdOrUuid }

/** Videos: lists, single ones, what belongs to one. Uploads are raw routes, see `UploadDocs`. */
export class VideosApi extends HttpApiGroup.make("videos", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideos", "/api/v1/videos", { query: videoListQuery, success: VideoList })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List videos", problems: problems(400) }),
    HttpApiEndpoint.get("getCategories", "/api/v1/videos/categories", { success: Labels }).annotate(Docs, {
      summary: "Get the labels of the categories by id"
    }),
    HttpApiEndpoint.get("getLicences", "/api/v1/videos/licences", { success: Labels }).annotate(Docs, {
      summary: "Get the labels of the licences by id"
    }),
    HttpApiEndpoint.get("getLanguages", "/api/v1/videos/languages", {
      query: { scope: optional(oneOf(["subtitle"], "Must be subtitle, when it is given")) },
      success: Labels
    }).annotate(Docs, { summary: "Get the labels of the languages by code", problems: problems(400) }),
    HttpApiEndpoint.get("getVideoPrivacyPolicies", "/api/v1/videos/privacies", { success: Labels }).annotate(Docs, {
      summary: "Get the labels of the privacies by id"
    }),
    HttpApiEndpoint.get("getVideo", "/api/v1/videos/:id", {
      params,
      headers: videoPasswordHeader,
      success: VideoDetails
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Get a video with its files", problems: videoProblems }),
    HttpApiEndpoint.delete("delVideo", "/api/v1/videos/:id", { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a video with all its files",
        rightOverOthers: "REMOVE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getVideoDescription", "/api/v1/videos/:id/description", {
      params,
      headers: videoPasswordHeader,
      success: VideoDescription
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Get the full description of a video", deprecated: true, problems: videoProblems }),
    HttpApiEndpoint.get("listVideoStoryboards", "/api/v1/videos/:id/storyboards", {
      params,
      headers: videoPasswordHeader,
      success: StoryboardList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the storyboards of a video", problems: videoProblems }),
    HttpApiEndpoint.post("requestVideoToken", "/api/v1/videos/:id/token", {
      params,
      headers: videoPasswordHeader,
      success: VideoTokenResponse
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Create a token that gives access to the files of a video", problems: videoProblems }),
    HttpApiEndpoint.get("getVideoSource", "/api/v1/videos/:id/source", { params, success: VideoSource })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get the source file of a video", problems: problems(400, 403, 404) })
  )
  .annotate(OpenApi.Title, "Video") {}
