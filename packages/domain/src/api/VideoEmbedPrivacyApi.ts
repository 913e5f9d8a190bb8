import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { embedDomainQuery, UpdateEmbedPrivacy } from "../requests/EmbedRequests.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { VideoEmbedPrivacy, VideoEmbedPrivacyAllowed } from "../wire/EmbedPrivacy.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

const path = "/api/v1/videos/:id/embed-privacy"
const params = { id: VideoIdOrUuid }

/** Which sites may show a video in a frame. */
export class VideoEmbedPrivacyApi extends HttpApiGroup.make("videoEmbedPrivacy", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoEmbedPrivacy", path, { params, success: VideoEmbedPrivacy })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get the embed privacy of a video", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.put("updateVideoEmbedPrivacy", path, {
      params,
      payload: UpdateEmbedPrivacy,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change the embed privacy of a video",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("isVideoEmbedOnDomainAllowed", `${path}/allowed`, {
      params,
      query: embedDomainQuery,
      headers: videoPasswordHeader,
      success: VideoEmbedPrivacyAllowed
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Check whether a video may be embedded on a domain", problems: videoProblems })
  )
  .annotate(OpenApi.Title, "Video Embed Privacy") {}
