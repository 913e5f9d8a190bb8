import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { CaptionLanguage, GenerateCaption } from "../requests/CaptionRequests.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { VideoCaptionList } from "../wire/VideoAnswers.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

const captions = "/api/v1/videos/:id/captions"
const params = { id: VideoIdOrUuid }
const one = { params: { ...params, captionLanguage: CaptionLanguage }, success: HttpApiSchema.NoContent }

/** Subtitles of a video. */
export class VideoCaptionsApi extends HttpApiGroup.make("videoCaptions", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoCaptions", captions, {
      params,
      headers: videoPasswordHeader,
      success: VideoCaptionList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the captions of a video", problems: videoProblems }),
    HttpApiEndpoint.put("addVideoCaption", `${captions}/:captionLanguage`, one)
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Set the captions of a video in a language, from a WebVTT or SubRip file",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        body: {
          "multipart/form-data": {
            type: "object",
            required: ["captionfile"],
            properties: { captionfile: { type: "string", format: "binary" } }
          }
        },
        problems: problems(400, 403, 404, 408, [413, "max_file_size_reached"], 415, 507)
      }),
    HttpApiEndpoint.delete("delVideoCaption", `${captions}/:captionLanguage`, one)
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Remove the captions of a video in a language",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("generateVideoCaption", `${captions}/generate`, {
      params,
      payload: GenerateCaption,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Generate captions by speech recognition (not available in this version)",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems([400, "video_already_has_captions"], 403, 404, [409, "video_already_being_transcribed"], 501)
      })
  )
  .annotate(OpenApi.Title, "Video Captions") {}
