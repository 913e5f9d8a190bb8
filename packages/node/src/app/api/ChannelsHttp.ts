import type { ActorImageType } from "@kinora/domain/enums/ImageSizes"
import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { CurrentUser, Viewer } from "@kinora/domain/users/CurrentUser"
import { FollowLists } from "@kinora/storage/federation/follow/FollowLists"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { ChannelLists } from "@kinora/storage/people/channel/ChannelLists"
import { ChannelSyncLists } from "@kinora/storage/video/sync/ChannelSyncLists"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { mayOnAccount } from "../../people/account/AccountRights.ts"
import { KnownAccounts } from "../../people/account/KnownAccounts.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import type { ChannelAction } from "../../people/channel/ChannelRights.ts"
import { ChannelPictures } from "../../people/channel/ChannelPictures.ts"
import { Channels } from "../../people/channel/Channels.ts"
import { mayLookUp } from "../../video/list/LookUpRight.ts"
import { ChannelSyncs } from "../../video/sync/ChannelSyncs.ts"
import { scopedVideos } from "../../video/list/ScopedVideos.ts"

const defaultFigureDays = 30

/** Channels, and what belongs to each. */
export const layer = apiGroup(
  "videoChannels",
  Effect.fnUntraced(function* (handlers) {
    const { remote_uri } = (yield* KinoraConfig).search
    const actors = yield* Actors
    const accounts = yield* KnownAccounts
    const channels = yield* Channels
    const pictures = yield* ChannelPictures
    const lists = yield* ChannelLists
    const follows = yield* FollowLists
    const syncs = yield* ChannelSyncLists
    const following = yield* ChannelSyncs
    const videos = yield* scopedVideos

    /** The channel of a path, when the user of the request may do this to it. */
    const open = (handle: ActorHandle, action: ChannelAction) =>
      Effect.flatMap(CurrentUser, (user) => channels.open(handle, user, action))

    const setPicture = Effect.fnUntraced(function* (
      handle: ActorHandle,
      type: ActorImageType,
      request: HttpServerRequest
    ) {
      const user = yield* CurrentUser
      return yield* pictures.set(yield* channels.open(handle, user, "edit"), type, user, request)
    })

    const removePicture = Effect.fnUntraced(function* (handle: ActorHandle, type: ActorImageType) {
      const user = yield* CurrentUser
      yield* pictures.remove(yield* channels.open(handle, user, "edit"), type, user)
    })

    return handlers.handleAll({
      getVideoChannels: ({ query }) => answer(Effect.map(lists.all(toListPage(query)), jsonText)),
      addVideoChannel: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const id = yield* channels.create(yield* CurrentUser, payload)
            return { videoChannel: { id } }
          })
        ),
      getVideoChannel: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* actors.channel(params.channelHandle)
            return Option.isNone(channel) ? yield* new VideoChannelNotFound() : jsonText(channel.value.json)
          })
        ),
      putVideoChannel: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => channels.update(params.channelHandle, user, payload))),
      delVideoChannel: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => channels.remove(params.channelHandle, user))),
      getVideoChannelVideos: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* actors.channel(params.channelHandle)
            if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
            return yield* videos(toVideoListQuery(query), params.channelHandle, {
              _tag: "Channel",
              channelId: channel.value.id
            })
          })
        ),
      getVideoChannelFollowers: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* open(params.channelHandle, "see")
            return jsonText(yield* follows.followers({ channelId: channel.id }, toListPage(query)))
          })
        ),
      postVideoChannelsAvatarPick: ({ params, request }) =>
        answer(Effect.map(setPicture(params.channelHandle, "avatar", request), (avatars) => ({ avatars }))),
      deleteVideoChannelsAvatar: ({ params }) => answer(removePicture(params.channelHandle, "avatar")),
      postVideoChannelsBannerPick: ({ params, request }) =>
        answer(Effect.map(setPicture(params.channelHandle, "banner", request), (banners) => ({ banners }))),
      deleteVideoChannelsBanner: ({ params }) => answer(removePicture(params.channelHandle, "banner")),
      postVideoChannelsImportVideos: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* open(params.channelHandle, "see")
            yield* following.importVideos(yield* CurrentUser, channel, payload)
          })
        ),
      getAccountsVideoChannels: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const accountId = yield* accounts.find(params.name)
            const { user } = yield* Viewer
            const may = (action: "figures" | "collaborations") =>
              Option.isSome(user) && mayOnAccount(user.value, action, accountId)
            // Everybody may ask for the list; what is not for them is left out of it.
            const which = {
              accountId,
              collaborations: query.includeCollaborations === true && may("collaborations"),
              figures: query.withStats === true && may("figures") ? (query.statsDays ?? defaultFigureDays) : undefined,
              unfollowed: mayLookUp(remote_uri, user)
            }
            return jsonText(yield* lists.ofAccount(which, toListPage(query)))
          })
        ),
      getAccountsVideoChannelSyncs: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const accountId = yield* accounts.open(params.name, "synchronisations")
            const which = { accountId, collaborations: query.includeCollaborations === true }
            return jsonText(yield* syncs.ofAccount(which, toListPage(query)))
          })
        )
    } satisfies Answers<"videoChannels">)
  })
)
