import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ChannelHandle } from "../ids/ActorHandle.ts"
import { videoListQuery } from "../requests/VideoListQuery.ts"
import { VideoList } from "../wire/Video.ts"
import { VideoChannel } from "../wire/VideoChannel.ts"
import { MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const params = { channelHandle: ChannelHandle }

/** Channels as everybody sees them. */
export class VideoChannelsApi extends HttpApiGroup.make("videoChannels", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoChannel", "/api/v1/video-channels/:channelHandle", {
      params,
      success: VideoChannel
    }).annotate(Docs, { summary: "One channel", problems: problems(400, 404) }),
    HttpApiEndpoint.get("getVideoChannelVideos", "/api/v1/video-channels/:channelHandle/videos", {
      params,
      query: videoListQuery,
      success: VideoList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the videos of a channel", tag: "Video", problems: problems(400, 404) })
  )
  .annotate(OpenApi.Title, "Video Channels") {}
