import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountHandle, ChannelHandle } from "../ids/ActorHandle.ts"
import { PlaylistIdOrUuid } from "../ids/PlaylistIdOrUuid.ts"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { field, optional } from "../fields/Field.ts"
import { integer, oneOf, text } from "../fields/Readers.ts"
import { Docs, type EndpointDocs, problems } from "./Documentation.ts"

const activity = { content: "application/activity+json", schema: { type: "object" } } as const

/** Remote objects are redirected to; nothing is answered where the instance does not federate. */
const object = (summary: string): EndpointDocs => ({
  summary,
  answers: {
    200: { description: "The object", ...activity, headers: ["ETag"] },
    302: { description: "It is on another instance", headers: ["Location"] },
    304: { description: "Not modified" }
  },
  problems: problems(403, 404)
})
const collection = (summary: string): EndpointDocs => ({ ...object(summary), problems: problems(400, 403, 404) })

const page = {
  page: optional(integer({ min: 1, max: 1_000_000, message: "Must be a page, counted from 1", documented: {} }))
}
const sized = { ...page, size: optional(integer({ min: 1, max: 50, message: "Must be a whole number from 1 to 50" })) }
const rowId = (what: string) => field(integer({ min: 1, max: 2_147_483_647, message: `Must be the id of ${what}` }))

const account = { name: AccountHandle }
const channel = { handle: ChannelHandle }
const rated = { ...account, videoId: VideoIdOrUuid }
const video = { id: VideoIdOrUuid }
const comment = { videoId: VideoIdOrUuid, commentId: rowId("a comment") }
const playlist = { playlistId: PlaylistIdOrUuid }

const comments = "/videos/watch/:videoId/comments/:commentId"

/** What other servers read: raw routes. Objects that share their addresses with pages are among the pages. */
export class ActivityPubRoutes extends HttpApiGroup.make("activityPub", { topLevel: true })
  .add(
    HttpApiEndpoint.get("apAccountFollowers", "/accounts/:name/followers", { params: account, query: page }).annotate(
      Docs,
      collection("Who follows an account")
    ),
    HttpApiEndpoint.get("apAccountFollowing", "/accounts/:name/following", { params: account, query: page }).annotate(
      Docs,
      collection("Whom an account follows")
    ),
    HttpApiEndpoint.get("apAccountPlaylists", "/accounts/:name/playlists", { params: account, query: page }).annotate(
      Docs,
      collection("Public playlists of an account")
    ),
    HttpApiEndpoint.get("apAccountOutbox", "/accounts/:name/outbox", { params: account, query: sized }).annotate(
      Docs,
      collection("What an account has published")
    ),
    HttpApiEndpoint.get("apAccountLike", "/accounts/:name/likes/:videoId", { params: rated }).annotate(
      Docs,
      object("Get the Like of a video by an account")
    ),
    HttpApiEndpoint.get("apAccountDislike", "/accounts/:name/dislikes/:videoId", { params: rated }).annotate(
      Docs,
      object("Get the Dislike of a video by an account")
    ),
    HttpApiEndpoint.get("apChannelFollowers", "/video-channels/:handle/followers", {
      params: channel,
      query: page
    }).annotate(Docs, collection("Who follows a channel")),
    HttpApiEndpoint.get("apChannelFollowing", "/video-channels/:handle/following", {
      params: channel,
      query: page
    }).annotate(Docs, collection("Whom a channel follows")),
    HttpApiEndpoint.get("apChannelPlaylists", "/video-channels/:handle/playlists", {
      params: channel,
      query: page
    }).annotate(Docs, collection("Public playlists of a channel")),
    HttpApiEndpoint.get("apChannelOutbox", "/video-channels/:handle/outbox", {
      params: channel,
      query: sized
    }).annotate(Docs, collection("What a channel has announced")),
    HttpApiEndpoint.get("apChannelPlayerSettings", "/video-channels/:handle/player-settings", {
      params: channel
    }).annotate(Docs, object("Player settings of a channel")),
    HttpApiEndpoint.get("apVideoActivity", "/videos/watch/:id/activity", { params: video }).annotate(
      Docs,
      object("Get the activity that published a video")
    ),
    HttpApiEndpoint.get("apVideoAnnounces", "/videos/watch/:id/announces", { params: video, query: page }).annotate(
      Docs,
      collection("Announces of a video")
    ),
    HttpApiEndpoint.get("apVideoLikes", "/videos/watch/:id/likes", { params: video, query: page }).annotate(
      Docs,
      collection("Likes of a video")
    ),
    HttpApiEndpoint.get("apVideoDislikes", "/videos/watch/:id/dislikes", { params: video, query: page }).annotate(
      Docs,
      collection("Dislikes of a video")
    ),
    HttpApiEndpoint.get("apVideoComments", "/videos/watch/:id/comments", { params: video, query: page }).annotate(
      Docs,
      collection("Comments below a video")
    ),
    HttpApiEndpoint.get("apVideoAnnounce", "/videos/watch/:id/announces/:actorId", {
      params: { ...video, actorId: rowId("an actor") }
    }).annotate(Docs, object("Get the Announce of a video by an actor")),
    HttpApiEndpoint.get("apVideoChapters", "/videos/watch/:id/chapters", { params: video }).annotate(
      Docs,
      object("Chapters of a video")
    ),
    HttpApiEndpoint.get("apVideoPlayerSettings", "/videos/watch/:id/player-settings", { params: video }).annotate(
      Docs,
      object("Get the player settings of a video")
    ),
    HttpApiEndpoint.get("apComment", comments, { params: comment }).annotate(Docs, {
      ...object("Get a comment, or what is left of a deleted one; to browsers the page that shows it")
    }),
    HttpApiEndpoint.get("apCommentActivity", `${comments}/activity`, { params: comment }).annotate(
      Docs,
      object("Get the activity that published a comment")
    ),
    HttpApiEndpoint.get("apCommentApproveReply", `${comments}/approve-reply`, { params: comment }).annotate(
      Docs,
      object("Get the approval of a comment on a video of this instance")
    ),
    HttpApiEndpoint.get("apPlaylist", "/video-playlists/:playlistId", { params: playlist, query: page }).annotate(
      Docs,
      collection("Get a playlist, or a page of its elements; to browsers the page that shows it")
    ),
    HttpApiEndpoint.get("apPlaylistElement", "/video-playlists/:playlistId/videos/:playlistElementId", {
      params: { ...playlist, playlistElementId: rowId("an element") }
    }).annotate(Docs, object("Get an element of a playlist")),
    HttpApiEndpoint.get("apCacheFile", "/redundancy/streaming-playlists/:streamingPlaylistType/:videoId", {
      params: { streamingPlaylistType: field(oneOf(["hls"], "Must be hls")), videoId: VideoIdOrUuid }
    }).annotate(Docs, object("Get the copy that this instance keeps of a video")),
    HttpApiEndpoint.get("apWatchAction", "/videos/local-viewer/:localViewerId", {
      params: { localViewerId: field(text({ min: 36, max: 36, message: "Must be a UUID", documented: {} })) }
    }).annotate(Docs, object("Get the record that somebody here watched a remote video"))
  )
  .annotate(OpenApi.Title, "ActivityPub") {}
