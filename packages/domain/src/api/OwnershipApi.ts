import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ChannelHandle } from "../ids/ActorHandle.ts"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import {
  acceptVideo,
  giveOwnership,
  OwnershipChangeId,
  ownershipQuery,
  pageQuery
} from "../requests/OwnershipRequests.ts"
import { ChangeOwnershipList } from "../wire/ChangeOwnership.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const videos = "/api/v1/videos"
const channels = "/api/v1/video-channels"
const request = { params: { id: OwnershipChangeId }, success: HttpApiSchema.NoContent }
const video = { id: VideoIdOrUuid }
const channel = { channelHandle: ChannelHandle }

/** Giving videos and channels to other users of the instance. */
export class OwnershipApi extends HttpApiGroup.make("ownership", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideosOwnership", `${videos}/ownership`, { query: pageQuery, success: ChangeOwnershipList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the video ownership changes offered to the user", problems: problems(400) }),
    HttpApiEndpoint.post("postVideosOwnershipAccept", `${videos}/ownership/:id/accept`, {
      ...request,
      payload: acceptVideo
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Accept the ownership of a video",
        problems: problems(400, 403, 404, [413, "quota_reached"])
      }),
    HttpApiEndpoint.post("postVideosOwnershipRefuse", `${videos}/ownership/:id/refuse`, request)
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Refuse the ownership of a video", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.delete("deleteVideosOwnershipById", `${videos}/ownership/:id`, request)
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Withdraw an offer of video ownership",
        rightOverOthers: "CHANGE_VIDEO_OWNERSHIP",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getVideosOwnership2", `${videos}/:id/ownership`, {
      params: video,
      query: ownershipQuery,
      success: ChangeOwnershipList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the ownership changes of a video", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.post("postVideosGiveOwnership", `${videos}/:id/give-ownership`, {
      params: video,
      payload: giveOwnership,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Offer the ownership of a video to a user",
        rightOverOthers: "CHANGE_VIDEO_OWNERSHIP",
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.get("getVideoChannelsOwnership", `${channels}/ownership`, {
      query: pageQuery,
      success: ChangeOwnershipList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the channel ownership changes offered to the user", problems: problems(400) }),
    HttpApiEndpoint.post("postVideoChannelsOwnershipAccept", `${channels}/ownership/:id/accept`, request)
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Accept the ownership of a channel with all its videos",
        problems: problems(400, 403, 404, 409, [413, "quota_reached"])
      }),
    HttpApiEndpoint.post("postVideoChannelsOwnershipRefuse", `${channels}/ownership/:id/refuse`, request)
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Refuse the ownership of a channel", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.delete("deleteVideoChannelsOwnershipById", `${channels}/ownership/:id`, request)
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Withdraw an offer of channel ownership",
        rightOverOthers: "CHANGE_VIDEO_OWNERSHIP",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getVideoChannelsOwnership2", `${channels}/:channelHandle/ownership`, {
      params: channel,
      query: ownershipQuery,
      success: ChangeOwnershipList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the ownership changes of a channel", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.post("postVideoChannelsGiveOwnership", `${channels}/:channelHandle/give-ownership`, {
      params: channel,
      payload: giveOwnership,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Offer the ownership of a channel to a user",
        rightOverOthers: "CHANGE_VIDEO_OWNERSHIP",
        problems: problems(400, 403, 404, 409)
      })
  )
  .annotate(OpenApi.Title, "Ownership Change") {}
