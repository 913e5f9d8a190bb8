import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { jsonOrForm } from "../requests/Payload.ts"
import { VideoChannelSyncCreate, VideoChannelSyncId } from "../requests/SyncRequests.ts"
import { VideoChannelSyncCreated } from "../wire/VideoChannelAnswers.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const syncs = "/api/v1/video-channel-syncs"
const params = { channelSyncId: VideoChannelSyncId }

/** Channels that take over what is published in others elsewhere. */
export class ChannelSyncsApi extends HttpApiGroup.make("channelSyncs", { topLevel: true })
  .add(
    HttpApiEndpoint.post("addVideoChannelSync", syncs, {
      payload: jsonOrForm(VideoChannelSyncCreate),
      success: VideoChannelSyncCreated
    }).annotate(Docs, {
      summary: "Create a channel synchronisation",
      rightOverOthers: "MANAGE_VIDEO_IMPORTS",
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.delete("delVideoChannelSync", `${syncs}/:channelSyncId`, {
      params,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Delete a synchronisation and its pending imports; imported videos stay",
      rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.post("triggerVideoChannelSync", `${syncs}/:channelSyncId/sync`, {
      params,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Fetch all videos of the channel elsewhere that were not fetched before",
      rightOverOthers: "MANAGE_VIDEO_IMPORTS",
      problems: problems(400, 403, 404)
    })
  )
  .middleware(Authenticated)
  .annotate(OpenApi.Title, "Channels Sync") {}
