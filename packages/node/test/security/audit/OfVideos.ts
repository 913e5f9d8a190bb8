import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { type Acts, form, type Given, type Values } from "./Act.ts"
import { asUser, comment, hlsVideo, idOf, picture, playlist, userId, video } from "./Things.ts"

const captions = async () => ({
  name: "captions.vtt",
  bytes: new TextEncoder().encode("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
})

const captioned: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* video
  yield* sql`
    insert into video_caption (video_id, language, filename)
    values (${Number(values["id"])}, 'en', ${`${randomUUID()}-en.vtt`})`
  return { ...values, captionLanguage: "en" }
})

/** Secret values that no entry may have. */
export const videoPassword = "a-secret-of-a-video"

const protectedVideo: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* video
  const id = Number(values["id"])
  yield* sql`update video set privacy = 5 where id = ${id}`
  const rows = yield* sql<{ id: number }>`
    insert into video_password (video_id, password) values (${id}, ${videoPassword}), (${id}, 'another one')
    returning id`
  return { ...values, passwordId: idOf(rows) }
})

/** A live that waits for its publisher. */
const live: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* video
  const id = Number(values["id"])
  yield* sql`update video set is_live = true, state = 4 where id = ${id}`
  yield* sql`
    insert into live_video (video_id, key_digest, sealed_key, save_replay, permanent)
    values (${id}, ${randomUUID()}::text::bytea, 'a sealed secret', false, false)`
  return values
})

const blocked: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* video
  yield* sql`insert into video_blacklist (video_id, reason) values (${Number(values["id"])}, 'because')`
  return values
})

/** The file of a source that can be deleted. */
const withSourceFile: Given<Values> = video

const held: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* comment
  yield* sql`update video_comment set held_for_review = true where id = ${Number(values["commentId"])}`
  return values
})

const imported = (state: number): Given<Values> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const values = yield* video
    const rows = yield* sql<{ id: number }>`
      insert into video_import (user_id, video_id, channel_id, target_url, state)
      select ${Number(yield* userId)}, v.id, v.channel_id, 'https://example.com/a.mp4', ${state}
      from video v where v.id = ${Number(values["id"])} returning id`
    yield* sql`update video set state = ${state === 3 ? 12 : 3} where id = ${Number(values["id"])}`
    return { id: idOf(rows) }
  })

const offered: Given<Values> = Effect.gen(function* () {
  const { id } = yield* video
  yield* asUser("POST", `/api/v1/videos/${id}/give-ownership`, { username: "moderator" })
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`select id from ownership_change where video_id = ${Number(id)}`
  return { id: idOf(rows) }
})

/** What moderators and administrators do with videos of others, and what belongs to these. */
export const ofVideos: Acts = {
  delVideo: { given: video, entry: ["video", "delete"], has: ["before"] },
  putVideo: { given: video, body: { name: "Another name" }, entry: ["video", "update"], has: ["before", "after"] },
  addVideoCaption: {
    given: Effect.map(video, (values) => ({ ...values, captionLanguage: "en" })),
    send: form("PUT", "captionfile", captions),
    entry: ["video", "set-caption"],
    has: ["before", "after"]
  },
  delVideoCaption: { given: captioned, entry: ["video", "delete-caption"], has: ["before", "after"] },
  replaceVideoChapters: {
    given: video,
    body: { chapters: [{ timecode: 1, title: "One" }] },
    entry: ["video", "set-chapters"],
    has: ["before", "after"]
  },
  updateVideoPlayerSettings: {
    given: video,
    body: { theme: "lucide" },
    entry: ["video", "set-player-settings"],
    has: ["before", "after"]
  },
  updateVideoEmbedPrivacy: {
    given: video,
    body: { policy: 2, domains: ["site.example"] },
    entry: ["video", "set-embed-privacy"],
    has: ["before", "after"]
  },
  updateLiveId: { given: live, body: { permanentLive: true }, entry: ["video", "change-live"] },
  renewStreamKey: { given: live, entry: ["video", "renew-stream-key"] },
  addVideoPassword: {
    given: protectedVideo,
    body: { password: "one more secret" },
    entry: ["video", "set-passwords"],
    has: ["before", "after"]
  },
  updateVideoPasswordList: {
    given: protectedVideo,
    body: { passwords: ["one more secret"] },
    entry: ["video", "set-passwords"],
    has: ["before", "after"]
  },
  removeVideoPassword: { given: protectedVideo, entry: ["video", "set-passwords"], has: ["before", "after"] },
  addVideoBlock: { given: video, body: { reason: "no" }, entry: ["video-block", "create"], has: ["after"] },
  updateVideoBlacklist: {
    given: blocked,
    body: { reason: "another" },
    entry: ["video-block", "update"],
    has: ["before", "after"]
  },
  delVideoBlock: { given: blocked, entry: ["video-block", "delete"], has: ["before"] },
  delVideoHLS: { given: hlsVideo, entry: ["video", "delete-files"], has: ["before", "after"] },
  delVideoHLSFile: { given: hlsVideo, entry: ["video", "delete-files"], has: ["before", "after"] },
  delVideoWebVideos: { given: hlsVideo, entry: ["video", "delete-files"], has: ["before", "after"] },
  delVideoWebVideoFile: {
    given: Effect.gen(function* () {
      const sql = yield* SqlClient
      const values = yield* hlsVideo
      const rows = yield* sql<{ id: number }>`select id from video_file where video_id = ${Number(values["id"])}`
      return { ...values, videoFileId: idOf(rows) }
    }),
    entry: ["video", "delete-files"],
    has: ["before", "after"]
  },
  deleteVideoSourceFile: { given: withSourceFile, entry: ["video", "delete-source-file"], has: ["before", "after"] },
  createVideoTranscoding: { given: video, body: { transcodingType: "hls" }, entry: ["video", "transcode"] },
  deleteVideosCommentsByCommentId: { given: comment, entry: ["comment", "delete"], has: ["before", "after"] },
  postVideosCommentsApprove: { given: held, entry: ["comment", "approve"], has: ["before", "after"] },
  bulkRemoveCommentsOf: {
    given: comment,
    body: { accountName: "user", scope: "instance" },
    entry: ["comment", "delete-all"]
  },
  putVideoPlaylistsByPlaylistId: {
    given: playlist,
    send: form("PUT", "thumbnailfile", picture, { displayName: "Another name" }),
    entry: ["playlist", "update"],
    has: ["before", "after"]
  },
  deleteVideoPlaylistsByPlaylistId: { given: playlist, entry: ["playlist", "delete"], has: ["before"] },
  addVideoPlaylistVideo: {
    given: playlist,
    body: ({ videoId }: Values) => ({ videoId: Number(videoId) }),
    entry: ["playlist", "add-video"],
    has: ["before", "after"]
  },
  reorderVideoPlaylist: {
    given: playlist,
    body: { startPosition: 2, insertAfterPosition: 0 },
    entry: ["playlist", "reorder"],
    has: ["before", "after"]
  },
  putVideoPlaylistVideo: {
    given: playlist,
    body: { startTimestamp: 1 },
    entry: ["playlist", "update-element"],
    has: ["before", "after"]
  },
  delVideoPlaylistVideo: { given: playlist, entry: ["playlist", "remove-element"], has: ["before", "after"] },
  postVideosImportsCancel: { given: imported(1), entry: ["video-import", "cancel"], has: ["before", "after"] },
  postVideosImportsRetry: { given: imported(3), entry: ["video-import", "retry"], has: ["before", "after"] },
  deleteVideosImportsById: { given: imported(3), entry: ["video-import", "delete"], has: ["before"] },
  postVideosGiveOwnership: { given: video, body: { username: "moderator" }, entry: ["ownership", "give"] },
  deleteVideosOwnershipById: { given: offered, entry: ["ownership", "withdraw"] }
}
