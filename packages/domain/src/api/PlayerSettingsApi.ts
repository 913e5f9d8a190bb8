import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ChannelHandle } from "../ids/ActorHandle.ts"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { playerQuery, UpdateChannelPlayer, UpdateVideoPlayer } from "../requests/PlayerRequests.ts"
import { PlayerChannelSettings, PlayerVideoSettings } from "../wire/PlayerSettings.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

const ofVideo = "/api/v1/player-settings/videos/:id"
const ofChannel = "/api/v1/player-settings/video-channels/:channelHandle"
const video = { params: { id: VideoIdOrUuid }, success: PlayerVideoSettings }
const channel = { params: { channelHandle: ChannelHandle }, success: PlayerChannelSettings }

/** How players look: what a video does not choose its channel does, else the instance. */
export class PlayerSettingsApi extends HttpApiGroup.make("playerSettings", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoPlayerSettings", ofVideo, {
      ...video,
      query: playerQuery,
      headers: videoPasswordHeader
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Get the player settings of a video", problems: videoProblems }),
    HttpApiEndpoint.put("updateVideoPlayerSettings", ofVideo, { ...video, payload: UpdateVideoPlayer })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change the player settings of a video",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getChannelPlayerSettings", ofChannel, { ...channel, query: playerQuery })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Get the player settings of a channel", problems: problems(400, 404) }),
    HttpApiEndpoint.put("updateChannelPlayerSettings", ofChannel, { ...channel, payload: UpdateChannelPlayer })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change the player settings of a channel",
        rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Player Settings") {}
