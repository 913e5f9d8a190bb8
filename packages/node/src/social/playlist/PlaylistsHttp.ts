import { playlistPrivacyLabels } from "@kinora/domain/enums/PlaylistPrivacy"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser, Viewer } from "@kinora/domain/users/CurrentUser"
import { PlaylistElementReads } from "@kinora/storage/social/playlist/PlaylistElementReads"
import { PlaylistLists } from "@kinora/storage/social/playlist/PlaylistLists"
import { Effect } from "effect"
import { Channels } from "../../people/channel/Channels.ts"
import { type Answers, answer, json, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { ListedPlaylists } from "./ListedPlaylists.ts"
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
    const access = yield* PlaylistAccess
    const bodies = yield* PlaylistBody
    const channels = yield* Channels
    const elements = yield* PlaylistElements
    const listed = yield* ListedPlaylists
    const lists = yield* PlaylistLists
    const places = yield* PlaylistElementReads
    const playlists = yield* Playlists
    const videos = yield* PlaylistVideos

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
            const { user } = yield* Viewer
            return jsonText(yield* listed.ofAccount(params.name, user, query, toListPage(query)))
          })
        ),
      getVideoChannelsVideoPlaylists: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            return jsonText(yield* listed.ofChannel(params.channelHandle, user, query, toListPage(query)))
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
