import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { videoTags } from "../../people/tags/VideoTags.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { usingNewObjects } from "./NewObjects.ts"
import type { NewThumbnail } from "./NewVideo.ts"
import { addTags, replacePasswords, setThumbnails } from "./VideoDetails.ts"
import { lockVideo, type VideoRow } from "./VideoFiles.ts"
import { VideoPrivacy } from "./VideoPrivacy.ts"

/** The channel was deleted, or belongs to another account than the video. */
export class ChannelRefused extends Data.TaggedError("ChannelRefused")<{ readonly channelId: number }> {}

/** A password-protected video would have no password. */
export class NoPassword extends Data.TaggedError("NoPassword")<{ readonly videoId: number }> {}

/** Changes of a video. Absent parts stay as they are, null removes. Instants are ISO 8601 in UTC. */
export interface VideoChanges {
  readonly name?: string | undefined
  readonly channelId?: number | undefined
  readonly category?: number | null | undefined
  readonly licence?: number | null | undefined
  readonly language?: string | null | undefined
  readonly privacy?: number | undefined
  readonly description?: string | null | undefined
  readonly support?: string | null | undefined
  readonly nsfw?: boolean | undefined
  readonly nsfwFlags?: number | undefined
  readonly nsfwSummary?: string | null | undefined
  readonly commentsPolicy?: number | undefined
  readonly downloadEnabled?: boolean | undefined
  readonly originallyPublishedAt?: string | null | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly schedule?: { readonly updateAt: string; readonly privacy: number } | null | undefined
  /** Replaces the existing ones. Only used if the video is password-protected. */
  readonly passwords?: ReadonlyArray<string> | undefined
  readonly thumbnails?: ReadonlyArray<NewThumbnail> | undefined
}

const passwordProtected = 5
/** Seconds for which replaced thumbnails are kept for open pages. */
const grace = 3600

const columns = {
  name: "name",
  channelId: "channel_id",
  category: "category",
  licence: "licence",
  language: "language",
  description: "description",
  support: "support",
  nsfw: "nsfw",
  nsfwFlags: "nsfw_flags",
  nsfwSummary: "nsfw_summary",
  commentsPolicy: "comments_policy",
  downloadEnabled: "download_enabled",
  originallyPublishedAt: "originally_published_at"
} as const satisfies { readonly [K in keyof VideoChanges]?: string }

/** Whether what a video says of itself changes. */
const isReworded = ({ description, name, support, tags }: VideoChanges): boolean =>
  [name, description, support, tags].some((it) => it !== undefined)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const privacy = yield* VideoPrivacy
  const automaticTags = videoTags(sql)

  /** Locks the present and the new channel of the video: channels are always locked before videos. */
  const holdChannels = Effect.fnUntraced(function* (videoId: number, channelId: number | undefined) {
    yield* sql`
      select 1 from video_channel c
      where c.id = (select channel_id from video where id = ${videoId}) or c.id = ${channelId ?? null}::integer
      order by c.id for share
    `
  })

  const columnChanges = Effect.fnUntraced(function* (videoId: number, changes: VideoChanges) {
    const values: Record<string, unknown> = {}
    for (const [field, column] of Object.entries(columns)) {
      const value = changes[field as keyof typeof columns]
      if (value !== undefined) values[column] = value
    }
    const given = JSON.stringify(values)
    // The values come from the row itself, so that each column keeps its type. Absent ones stay.
    yield* sql`
      update video v set (
        name, channel_id, category, licence, language, description, support, nsfw, nsfw_flags, nsfw_summary,
        comments_policy, download_enabled, originally_published_at, updated_at
      ) = (
        select n.name, n.channel_id, n.category, n.licence, n.language, n.description, n.support, n.nsfw, n.nsfw_flags,
          n.nsfw_summary, n.comments_policy, n.download_enabled, n.originally_published_at, now()
        from jsonb_populate_record(v, ${given}::text::jsonb) n
      ) where v.id = ${videoId}
    `
  })

  const schedule = Effect.fnUntraced(function* (videoId: number, next: VideoChanges["schedule"]) {
    if (next === undefined) return
    yield* sql`delete from video_schedule_update where video_id = ${videoId}`
    if (next === null) return
    yield* sql`
      insert into video_schedule_update (video_id, update_at, privacy)
      values (${videoId}, ${next.updateAt}::text::timestamptz, ${next.privacy})
    `
  })

  const passwords = Effect.fnUntraced(function* (videoId: number, next: number, given: VideoChanges["passwords"]) {
    if (next !== passwordProtected) return
    if (given !== undefined) yield* replacePasswords(sql, videoId, given)
    const left = yield* sql`select 1 from video_password where video_id = ${videoId} limit 1`
    if (left.length === 0) return yield* new NoPassword({ videoId })
  })

  const apply = Effect.fnUntraced(function* (video: VideoRow, accountId: number, changes: VideoChanges) {
    const videoId = video.id
    if (changes.channelId !== undefined) {
      const [same] = yield* sql`
        select 1 from video v join video_channel c on c.account_id = v.account_id
        where v.id = ${videoId} and c.id = ${changes.channelId}
      `
      if (same === undefined) return yield* new ChannelRefused({ channelId: changes.channelId })
    }
    yield* columnChanges(videoId, changes)
    if (changes.tags !== undefined) {
      yield* sql`delete from video_tag where video_id = ${videoId}`
      yield* addTags(sql, videoId, changes.tags)
    }
    if (isReworded(changes)) yield* automaticTags.settle([videoId], { accountId })
    yield* schedule(videoId, changes.schedule)
    yield* passwords(videoId, changes.privacy ?? video.privacy, changes.passwords)
    if (changes.thumbnails !== undefined) yield* setThumbnails(sql, videoId, changes.thumbnails, grace)
    yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.update })
  })

  const inPlace = (videoId: number, accountId: number, changes: VideoChanges) =>
    Effect.gen(function* () {
      yield* holdChannels(videoId, changes.channelId)
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return false
      yield* apply(video, accountId, changes)
      return true
    }).pipe(sql.withTransaction, withDatabaseErrors)

  const update = Effect.fn("VideoUpdates.update")(function* (
    videoId: number,
    accountId: number,
    changes: VideoChanges
  ) {
    if (changes.privacy === undefined) return yield* inPlace(videoId, accountId, changes)
    return yield* privacy.set<ChannelRefused | NoPassword>(videoId, changes.privacy, {
      before: holdChannels(videoId, changes.channelId),
      after: (video) => apply(video, accountId, changes)
    })
  })

  const usingPictures: VideoUpdates["Service"]["usingPictures"] = (filenames, work) =>
    usingNewObjects(
      sql,
      filenames.map((name) => ({ bucket: "thumbnails", name })),
      work
    )

  return VideoUpdates.of({ update, usingPictures })
})

/** Updates videos. */
export class VideoUpdates extends Context.Service<
  VideoUpdates,
  {
    /**
     * All in one transaction, with the files moved if the privacy changes. `accountId` is the account that changes it,
     * for the channel's activity log. False if there is no such local video.
     */
    readonly update: (
      videoId: number,
      accountId: number,
      changes: VideoChanges
    ) => Effect.Effect<boolean, ChannelRefused | NoPassword | InsufficientStorage | DatabaseUnavailable>
    /** Runs work that stores these thumbnails and then uses them in an update. If it fails, they are removed. */
    readonly usingPictures: <A, E, R>(
      filenames: ReadonlyArray<string>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
  }
>()("@kinora/storage/videos/writes/VideoUpdates") {
  static readonly layer = Layer.effect(VideoUpdates, make)
}
