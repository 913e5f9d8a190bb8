import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountHandle, ChannelHandle } from "../ids/ActorHandle.ts"
import {
  accountChannelListQuery,
  channelListQuery,
  followerListQuery,
  syncListQuery
} from "../requests/ActorListQueries.ts"
import { ImportVideosInChannel, VideoChannelCreate, VideoChannelUpdate } from "../requests/ChannelRequests.ts"
import { videoListQuery } from "../requests/VideoListQuery.ts"
import { FollowList } from "../wire/Follow.ts"
import { Avatars } from "../wire/MyUserAnswers.ts"
import { VideoList } from "../wire/Video.ts"
import { VideoChannel } from "../wire/VideoChannel.ts"
import { Banners, VideoChannelCreated, VideoChannelList, VideoChannelSyncList } from "../wire/VideoChannelAnswers.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const channels = "/api/v1/video-channels"
const channel = `${channels}/:channelHandle` as const
const params = { channelHandle: ChannelHandle }
const ofAccount = { name: AccountHandle }
const managed = problems(400, 403, 404)

const picture = (field: "avatarfile" | "bannerfile", summary: string) => ({
  summary,
  body: {
    "multipart/form-data": {
      type: "object",
      required: [field],
      properties: { [field]: { type: "string", format: "binary" } }
    }
  },
  problems: problems(400, 403, 404, 408, [413, "max_file_size_reached"], 415, 507)
})

/** Channels as everybody sees them, and as their people manage them. */
export class VideoChannelsApi extends HttpApiGroup.make("videoChannels", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoChannels", channels, { query: channelListQuery, success: VideoChannelList }).annotate(
      Docs,
      { summary: "List channels", problems: problems(400) }
    ),
    HttpApiEndpoint.post("addVideoChannel", channels, { payload: VideoChannelCreate, success: VideoChannelCreated })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Create a channel", problems: problems(400, 409) }),
    HttpApiEndpoint.get("getVideoChannel", channel, { params, success: VideoChannel }).annotate(Docs, {
      summary: "Get a channel",
      problems: problems(400, 404)
    }),
    HttpApiEndpoint.put("putVideoChannel", channel, {
      params,
      payload: VideoChannelUpdate,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Change a channel", rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL", problems: managed }),
    HttpApiEndpoint.delete("delVideoChannel", channel, { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a channel with all its videos; an account keeps one channel",
        rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL",
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.get("getVideoChannelVideos", `${channel}/videos`, {
      params,
      query: videoListQuery,
      success: VideoList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the videos of a channel", tag: "Video", problems: managed }),
    HttpApiEndpoint.get("getVideoChannelFollowers", `${channel}/followers`, {
      params,
      query: followerListQuery,
      success: FollowList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the followers of a channel", problems: managed }),
    HttpApiEndpoint.post("postVideoChannelsAvatarPick", `${channel}/avatar/pick`, { params, success: Avatars })
      .middleware(Authenticated)
      .annotate(Docs, {
        ...picture("avatarfile", "Set the avatar of a channel"),
        rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL"
      }),
    HttpApiEndpoint.delete("deleteVideoChannelsAvatar", `${channel}/avatar`, {
      params,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Remove the avatar of a channel",
        rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL",
        problems: managed
      }),
    HttpApiEndpoint.post("postVideoChannelsBannerPick", `${channel}/banner/pick`, { params, success: Banners })
      .middleware(Authenticated)
      .annotate(Docs, {
        ...picture("bannerfile", "Set the banner of a channel"),
        rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL"
      }),
    HttpApiEndpoint.delete("deleteVideoChannelsBanner", `${channel}/banner`, {
      params,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Remove the banner of a channel",
        rightOverOthers: "MANAGE_ANY_VIDEO_CHANNEL",
        problems: managed
      }),
    HttpApiEndpoint.post("postVideoChannelsImportVideos", `${channel}/import-videos`, {
      params,
      payload: ImportVideosInChannel,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Import all videos of an external channel that are not imported yet",
        rightOverOthers: "MANAGE_VIDEO_IMPORTS",
        problems: problems(400, 403, 404, [413, "quota_reached"])
      }),
    HttpApiEndpoint.get("getAccountsVideoChannels", "/api/v1/accounts/:name/video-channels", {
      params: ofAccount,
      query: accountChannelListQuery,
      success: VideoChannelList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary:
          "List the channels of an account; withStats is for its user, includeCollaborations also for moderators: without effect for others",
        problems: problems(400, 404)
      }),
    HttpApiEndpoint.get("getAccountsVideoChannelSyncs", "/api/v1/accounts/:name/video-channel-syncs", {
      params: ofAccount,
      query: syncListQuery,
      success: VideoChannelSyncList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the channel synchronisations of an account", problems: managed })
  )
  .annotate(OpenApi.Title, "Video Channels") {}
