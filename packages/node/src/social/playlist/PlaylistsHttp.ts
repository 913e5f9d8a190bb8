import { playlistPrivacyLabels } from "@kinora/domain/enums/PlaylistPrivacy"
import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser, type CurrentUserShape, Viewer } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { PlaylistElementReads } from "@kinora/storage/social/playlist/PlaylistElementReads"
import { type PlaylistListing, PlaylistLists } from "@kinora/storage/social/playlist/PlaylistLists"
import { Effect, Option } from "effect"
import { mayOnAccount } from "../../people/account/AccountRights.ts"
import { KnownAccounts } from "../../people/account/KnownAccounts.ts"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { Channels } from "../../people/channel/Channels.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, json, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { mayLookUp } from "../../video/list/LookUpRight.ts"
import { readerOf } from "../../video/list/Reader.ts"
import { PlaylistAccess } from "./PlaylistAccess.ts"
import { PlaylistBody } from "./PlaylistBody.ts"
import { PlaylistElements } from "./PlaylistElements.ts"
import { Playlists } from "./Playlists.ts"
import { PlaylistVideos } from "./PlaylistVideos.ts"

const labels = json(playlistPrivacyLabels)

/** Playlists. Of who may not change one, the body that changes it is not read. */
export const layer = apiGroup(
  "playlists",
  Effect.fnUntraced(function* (handlers) {
    const { remote_uri } = (yield* KinoraConfig).search
    const access = yield* PlaylistAccess
    const accounts = yield* KnownAccounts
    const bodies = yield* PlaylistBody
    const channelRows = yield* ChannelRows
    const channels = yield* Channels
    const elements = yield* PlaylistElements
    const lists = yield* PlaylistLists
    const places = yield* PlaylistElementReads
    const playlists = yield* Playlists
    const videos = yield* PlaylistVideos

    /** The listing as this reader sees it. */
    const shownTo = (
      user: Option.Option<CurrentUserShape>,
      listing: Pick<PlaylistListing, "scope" | "everything" | "type">
    ): PlaylistListing => ({
      ...listing,
      viewerAccountId: readerOf(user)?.accountId,
      unfollowed: mayLookUp(remote_uri, user)
    })

    /** The playlist and the user who may change or remove it. */
    const managed = Effect.fnUntraced(function* (id: PlaylistIdOrUuid, action: "update" | "remove" = "update") {
      const user = yield* CurrentUser
      return { user, playlist: yield* access.manage(id, user, action) }
    })

    return handlers.handleAll({
      getPlaylistPrivacyPolicies: () => Effect.succeed(labels),
      getPlaylists: ({ query }) =>
        answer(
          Effect.map(
            lists.list({ scope: { _tag: "All" }, everything: false, type: query.playlistType }, toListPage(query)),
            jsonText
          )
        ),
      addPlaylist: ({ request }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const { fields, file } = yield* bodies.create(request)
            return { videoPlaylist: yield* playlists.create(user, fields, file) }
          }).pipe(Effect.scoped)
        ),
      getVideoPlaylistsByPlaylistId: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            return jsonText((yield* access.read(params.playlistId, user)).body)
          })
        ),
      putVideoPlaylistsByPlaylistId: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { playlist, user } = yield* managed(params.playlistId)
            const { fields, file } = yield* bodies.update(request)
            yield* playlists.update(user, playlist, fields, file)
          }).pipe(Effect.scoped)
        ),
      deleteVideoPlaylistsByPlaylistId: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const { playlist, user } = yield* managed(params.playlistId, "remove")
            yield* playlists.remove(user, playlist)
          })
        ),
      getVideoPlaylistVideos: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            const playlist = yield* access.open(params.playlistId, user)
            const page = { start: query.start ?? 0, count: query.count ?? 15 }
            return jsonText(yield* elements.list(playlist.id, page, user))
          })
        ),
      addVideoPlaylistVideo: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const { playlist, user } = yield* managed(params.playlistId)
            return { videoPlaylistElement: { id: yield* videos.add(user, playlist, payload) } }
          })
        ),
      reorderVideoPlaylist: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const { playlist, user } = yield* managed(params.playlistId)
            yield* videos.reorder(user, playlist, payload)
          })
        ),
      putVideoPlaylistVideo: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const { playlist, user } = yield* managed(params.playlistId)
            yield* videos.update(user, playlist, params.playlistElementId, payload)
          })
        ),
      delVideoPlaylistVideo: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const { playlist, user } = yield* managed(params.playlistId)
            yield* videos.remove(user, playlist, params.playlistElementId)
          })
        ),
      getUsersMeVideoPlaylistsVideosExist: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            return jsonText(yield* places.exist(user.accountId, query.videoIds))
          })
        ),
      getAccountsVideoPlaylists: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const accountId = yield* accounts.find(params.name)
            const { user } = yield* Viewer
            const scope = {
              _tag: "Account",
              accountId,
              collaborations:
                query.includeCollaborations === true &&
                Option.isSome(user) &&
                mayOnAccount(user.value, "collaborations", accountId),
              channelNames: query.channelNameOneOf
            } as const
            const everything = Option.isSome(user) && user.value.accountId === accountId
            return jsonText(
              yield* lists.list(shownTo(user, { scope, everything, type: query.playlistType }), toListPage(query))
            )
          })
        ),
      getVideoChannelsVideoPlaylists: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* channelRows.byHandle(params.channelHandle)
            if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
            const { user } = yield* Viewer
            const everything = Option.isSome(user) && mayOnChannel(user.value, "publish", channel.value)
            const scope = { _tag: "Channel", channelId: channel.value.id } as const
            return jsonText(
              yield* lists.list(shownTo(user, { scope, everything, type: query.playlistType }), toListPage(query))
            )
          })
        ),
      reorderVideoPlaylistsOfChannel: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* playlists.reorder(yield* channels.open(params.channelHandle, user, "publish"), payload)
          })
        )
    } satisfies Answers<"playlists">)
  })
)
