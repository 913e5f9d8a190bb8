import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountHandle, ChannelHandle } from "../ids/ActorHandle.ts"
import { PlaylistIdOrUuid } from "../ids/PlaylistIdOrUuid.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import {
  accountPlaylistListQuery,
  playlistElementQuery,
  playlistListQuery,
  videosExistQuery
} from "../requests/PlaylistQueries.ts"
import {
  PlaylistElementCreate,
  PlaylistElementUpdate,
  playlistFields,
  PlaylistReorder
} from "../requests/PlaylistRequests.ts"
import { rowId } from "../requests/UserFields.ts"
import { field } from "../fields/Field.ts"
import { Labels } from "../wire/VideoAnswers.ts"
import {
  VideoPlaylist,
  VideoPlaylistCreated,
  VideoPlaylistElementCreated,
  VideoPlaylistElementList,
  VideoPlaylistList,
  VideosExistInPlaylists
} from "../wire/VideoPlaylist.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const playlists = "/api/v1/video-playlists"
const playlist = `${playlists}/:playlistId` as const
const element = `${playlist}/videos/:playlistElementId` as const
const params = { playlistId: PlaylistIdOrUuid }
const elementParams = { ...params, playlistElementId: field(rowId("an element of the playlist")) }
const channelParams = { channelHandle: ChannelHandle }

const fields = Object.fromEntries(Object.entries(playlistFields).map(([name, { documented }]) => [name, documented]))
const picture = { thumbnailfile: { type: "string", format: "binary" } } as const
const body = (required: ReadonlyArray<string>) => {
  const needed = required.length === 0 ? {} : { required }
  return {
    "multipart/form-data": { type: "object", ...needed, properties: { ...fields, ...picture } },
    "application/json": { type: "object", ...needed, properties: fields }
  }
}
const written = problems(400, 403, 404, 408, 413, 415, 507)

/** Playlists, and what stands in them. Bodies that may bring a picture are read by hand. */
export class PlaylistsApi extends HttpApiGroup.make("playlists", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getPlaylistPrivacyPolicies", `${playlists}/privacies`, { success: Labels }).annotate(Docs, {
      summary: "Get the labels of the privacies of playlists by id"
    }),
    HttpApiEndpoint.get("getPlaylists", playlists, { query: playlistListQuery, success: VideoPlaylistList }).annotate(
      Docs,
      { summary: "List public playlists", problems: problems(400) }
    ),
    HttpApiEndpoint.post("addPlaylist", playlists, { success: VideoPlaylistCreated })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Create a playlist", body: body(["displayName"]), problems: written }),
    HttpApiEndpoint.get("getVideoPlaylistsByPlaylistId", playlist, { params, success: VideoPlaylist })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Get a playlist", problems: problems(400, 401, 403, 404) }),
    HttpApiEndpoint.put("putVideoPlaylistsByPlaylistId", playlist, { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change a playlist; omitted fields stay as they are",
        rightOverOthers: "UPDATE_ANY_VIDEO_PLAYLIST",
        body: body([]),
        problems: written
      }),
    HttpApiEndpoint.delete("deleteVideoPlaylistsByPlaylistId", playlist, { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a playlist",
        rightOverOthers: "REMOVE_ANY_VIDEO_PLAYLIST",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getVideoPlaylistVideos", `${playlist}/videos`, {
      params,
      query: playlistElementQuery,
      success: VideoPlaylistElementList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the elements of a playlist in order", problems: problems(400, 401, 403, 404) }),
    HttpApiEndpoint.post("addVideoPlaylistVideo", `${playlist}/videos`, {
      params,
      payload: jsonOrForm(PlaylistElementCreate),
      success: VideoPlaylistElementCreated
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Add a video to the end of a playlist",
        rightOverOthers: "UPDATE_ANY_VIDEO_PLAYLIST",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("reorderVideoPlaylist", `${playlist}/videos/reorder`, {
      params,
      payload: jsonOrForm(PlaylistReorder),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Reorder elements of a playlist",
        rightOverOthers: "UPDATE_ANY_VIDEO_PLAYLIST",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.put("putVideoPlaylistVideo", element, {
      params: elementParams,
      payload: jsonOrForm(PlaylistElementUpdate),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Set the start and stop time of a playlist element",
        rightOverOthers: "UPDATE_ANY_VIDEO_PLAYLIST",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.delete("delVideoPlaylistVideo", element, {
      params: elementParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Remove an element from a playlist",
        rightOverOthers: "UPDATE_ANY_VIDEO_PLAYLIST",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getUsersMeVideoPlaylistsVideosExist", "/api/v1/users/me/video-playlists/videos-exist", {
      query: videosExistQuery,
      success: VideosExistInPlaylists
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Find videos in the user's playlists", problems: problems(400) }),
    HttpApiEndpoint.get("getAccountsVideoPlaylists", "/api/v1/accounts/:name/video-playlists", {
      params: { name: AccountHandle },
      query: accountPlaylistListQuery,
      success: VideoPlaylistList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List playlists of an account", problems: problems(400, 404) }),
    HttpApiEndpoint.get("getVideoChannelsVideoPlaylists", "/api/v1/video-channels/:channelHandle/video-playlists", {
      params: channelParams,
      query: playlistListQuery,
      success: VideoPlaylistList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List playlists of a channel", problems: problems(400, 404) }),
    HttpApiEndpoint.post(
      "reorderVideoPlaylistsOfChannel",
      "/api/v1/video-channels/:channelHandle/video-playlists/reorder",
      { params: channelParams, payload: jsonOrForm(PlaylistReorder), success: HttpApiSchema.NoContent }
    )
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Reorder the playlists of a channel",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Video Playlists") {}
