import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { NewVideoBlock, VideoBlockUpdate, videoBlockListQuery } from "../requests/BlockRequests.ts"
import { VideoBlockList } from "../wire/VideoBlock.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/videos/:id/blacklist"
const one = { params: { id: VideoIdOrUuid }, success: HttpApiSchema.NoContent }
const right = "MANAGE_VIDEO_BLACKLIST"

/** Videos that moderators took from view. */
export class VideoBlocksApi extends HttpApiGroup.make("videoBlocks", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoBlocks", "/api/v1/videos/blacklist", {
      query: videoBlockListQuery,
      success: VideoBlockList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the blocked videos", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("addVideoBlock", path, { ...one, payload: jsonOrForm(NewVideoBlock) })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Block a video: only its owner and moderators see it from now on",
        right,
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.put("updateVideoBlacklist", path, { ...one, payload: jsonOrForm(VideoBlockUpdate) })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Change what is noted of a block", right, problems: problems(400, 403, 404) }),
    HttpApiEndpoint.delete("delVideoBlock", path, one)
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Block a video no longer", right, problems: problems(400, 403, 404) })
  )
  .annotate(OpenApi.Title, "Video Blocks") {}
