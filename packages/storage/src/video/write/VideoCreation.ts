import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoBlockType } from "@kinora/domain/enums/VideoBlockType"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { UserRole } from "@kinora/domain/enums/UserRole"
import { isHeldForReview } from "@kinora/domain/users/VideoReview"
import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { videoTags } from "../../people/tags/VideoTags.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { NewJob } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import type { UploadResult } from "../upload/UploadSession.ts"
import { type FirstFiles, useFirstFiles } from "./FirstFiles.ts"
import { addImport, type AlreadyImported, type NewImport } from "./NewImport.ts"
import type { AnnouncedVideo, NewVideo } from "./NewVideo.ts"
import { addPasswords, addSource, addTags, keepSource, setThumbnails } from "./VideoDetails.ts"

/** The upload was cancelled, has expired, or its video was deleted meanwhile. */
export class UploadGone extends Data.TaggedError("UploadGone")<{ readonly uploadId: string }> {}

/** The channel was deleted, or belongs to another account by now. */
export class ChannelGone extends Data.TaggedError("ChannelGone")<{ readonly channelId: number }> {}

/** How an upload becomes a video. */
export interface FromUpload {
  readonly job: (videoId: number) => NewJob
  /** How long the upload is known, for clients that ask again. */
  readonly replaySeconds: number
  /** The files it has from the beginning. Absent: its first job makes them. */
  readonly first?: FirstFiles | undefined
}

const toTranscode = 2
const toImport = 3

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard
  const automaticTags = videoTags(sql)

  /** A block in the transaction that creates the video: nobody has seen it, here or elsewhere. */
  const holdForReview = Effect.fnUntraced(function* (videoId: number, accountId: number) {
    const [user] = yield* sql<{ role: UserRole; adminFlags: number }>`
      select u.role, u.admin_flags as "adminFlags" from account a join app_user u on u.id = a.user_id where a.id = ${accountId}`
    if (user === undefined || !isHeldForReview(user)) return
    yield* sql`
      insert into video_blacklist (video_id, type, unfederated) values (${videoId}, ${VideoBlockType.automatic}, true)`
  })

  const insertVideo = Effect.fnUntraced(function* (video: AnnouncedVideo, state: number, isLive = false) {
    const [row] = yield* sql<UploadResult>`
      insert into video (
        uuid, channel_id, account_id, url, name, category, licence, language, privacy, state, nsfw, nsfw_flags,
        nsfw_summary, description, support, duration, aspect_ratio, wait_transcoding, download_enabled, comments_policy,
        originally_published_at, input_file_updated_at, is_live
      ) values (
        ${video.uuid}, ${video.channelId}, ${video.accountId}, ${video.url}, ${video.name}, ${video.category},
        ${video.licence}, ${video.language}, ${video.privacy}, ${state}, ${video.nsfw}, ${video.nsfwFlags},
        ${video.nsfwSummary}, ${video.description}, ${video.support}, ${video.duration}, ${video.aspectRatio},
        ${video.waitTranscoding}, ${video.downloadEnabled}, ${video.commentsPolicy},
        ${video.originallyPublishedAt}::text::timestamptz, now(), ${isLive}
      ) returning id, uuid
    `
    const { id } = row!
    yield* addTags(sql, id, video.tags)
    yield* addPasswords(sql, id, video.passwords)
    yield* setThumbnails(sql, id, video.thumbnails, 0)
    if (video.schedule !== null) {
      yield* sql`
        insert into video_schedule_update (video_id, update_at, privacy)
        values (${id}, ${video.schedule.updateAt}::text::timestamptz, ${video.schedule.privacy})
      `
    }
    if (video.reviewed) yield* holdForReview(id, video.uploaderAccountId)
    yield* automaticTags.settle([id], { accountId: video.uploaderAccountId })
    yield* recordVideoActivity(sql, {
      videoId: id,
      accountId: video.uploaderAccountId,
      action: ChannelActivityAction.create
    })
    return row!
  })

  /** Locks account and channel until the transaction ends, in the order in which users and channels are removed. */
  const holdChannel = Effect.fnUntraced(function* ({ accountId, channelId }: AnnouncedVideo) {
    // As strong as the lock that the new video's text will need: strengthening it later could cause a deadlock.
    yield* sql`select 1 from account where id = ${accountId} for share`
    const held = yield* sql`
      select 1 from video_channel where id = ${channelId} and account_id = ${accountId} for share
    `
    if (held.length === 0) return yield* new ChannelGone({ channelId })
  })

  const fromUpload = Effect.fn("VideoCreation.fromUpload")(
    function* (uploadId: string, video: NewVideo, { first, job, replaySeconds }: FromUpload) {
      yield* sql`
        select 1 from app_user u where exists (
          select 1 from upload_session s where s.id = ${uploadId} and u.id in (s.user_id, s.payer_id)
        ) order by u.id for key share
      `
      const [session] = yield* sql<{ state: string; result: UploadResult | null }>`
      select state, result from upload_session where id = ${uploadId} for update
    `
      if (session === undefined) return yield* new UploadGone({ uploadId })
      if (session.result !== null) {
        yield* keepSource(sql, video.source)
        return session.result
      }
      yield* holdChannel(video)
      const created = yield* insertVideo(video, toTranscode)
      yield* addSource(sql, created.id, video.source)
      if (first !== undefined) yield* useFirstFiles(sql, created.id, first)
      yield* jobs.enqueue(job(created.id))
      yield* sql`
      update upload_session set state = 'done', received = size, result = ${JSON.stringify(created)}::text::jsonb,
        result_video_id = ${created.id}, updated_at = now(),
        expires_at = now() + make_interval(secs => ${replaySeconds})
      where id = ${uploadId}
    `
      return created
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const fromImport = Effect.fn("VideoCreation.fromImport")(
    function* (video: AnnouncedVideo, wanted: NewImport) {
      const [user] = yield* sql`select 1 from app_user where id = ${wanted.userId} for key share`
      if (user === undefined) return yield* new ChannelGone({ channelId: video.channelId })
      yield* holdChannel(video)
      const created = yield* insertVideo(video, toImport)
      return yield* addImport(sql, jobs, { videoId: created.id, channelId: video.channelId }, wanted)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const live = <E>(
    video: AnnouncedVideo,
    also: (videoId: number) => Effect.Effect<void, E>
  ): Effect.Effect<UploadResult, ChannelGone | Exclude<E, SqlError> | DatabaseUnavailable> =>
    Effect.gen(function* () {
      yield* holdChannel(video)
      const created = yield* insertVideo(video, VideoState.waitingForLive, true)
      yield* also(created.id)
      return created
    }).pipe(sql.withTransaction, withDatabaseErrors, Effect.withSpan("VideoCreation.live"))

  return VideoCreation.of({ fromUpload, fromImport, live })
})

/** Creates local videos. */
export class VideoCreation extends Context.Service<
  VideoCreation,
  {
    /**
     * Turns an upload into a video with its source, whose file is stored, first files, tags, passwords, thumbnails, schedule and first job, all or
     * nothing. If repeated for the same upload, it returns the existing video.
     */
    readonly fromUpload: (
      uploadId: string,
      video: NewVideo,
      how: FromUpload
    ) => Effect.Effect<UploadResult, UploadGone | ChannelGone | DatabaseUnavailable>
    /** Creates a video in the state TO_IMPORT, its import and its job, all or nothing. Returns the id of the import. */
    readonly fromImport: (
      video: AnnouncedVideo,
      wanted: NewImport
    ) => Effect.Effect<number, AlreadyImported | ChannelGone | DatabaseUnavailable>
    /** Creates a live that waits for its publisher, and what `also` adds to it, all or nothing. */
    readonly live: <E>(
      video: AnnouncedVideo,
      also: (videoId: number) => Effect.Effect<void, E>
    ) => Effect.Effect<UploadResult, ChannelGone | Exclude<E, SqlError> | DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/VideoCreation") {
  static readonly layer = Layer.effect(VideoCreation, make)
}
