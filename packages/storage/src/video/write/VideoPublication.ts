import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { JobLease, LeaseLost, NewJob } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { usingNewObjects } from "./NewObjects.ts"
import { isPrivate, type NewStoryboard, type RenditionKind, type RenditionSet } from "./NewRenditions.ts"
import type { NewThumbnail } from "./NewVideo.ts"
import { intendObjects, keepObjects, type ObjectName } from "../../platform/objects/ObjectIntents.ts"
import { removeStoryboard, replaceRenditions, replaceStoryboard } from "./RenditionRows.ts"
import { dropSources, type SourceShape, showSource, stands } from "./SourceRows.ts"
import { setThumbnails } from "./VideoDetails.ts"
import { lockVideo } from "./VideoFiles.ts"
import { pipelineTypes, storyboardType } from "../work/VideoWork.ts"

/** The video was deleted, or its privacy changed between public and private while files were made. */
export class VideoChanged extends Data.TaggedError("VideoChanged")<{ readonly videoId: number }> {}

/** The result of one processing step. Absent parts stay as they are. */
export interface Publication {
  readonly videoId: number
  /** The attempt that did the work: it cannot overwrite the result of another attempt. */
  readonly lease: JobLease
  /** The privacy at the time the files were stored. */
  readonly privacy: number
  readonly renditions?: RenditionSet | undefined
  /** The renditions to replace. Absent: all. */
  readonly only?: RenditionKind | undefined
  /** Present if these are the first renditions of a replaced source: the video gets this shape. */
  readonly shape?: SourceShape | undefined
  readonly thumbnails?: ReadonlyArray<NewThumbnail> | undefined
  readonly storyboard?: NewStoryboard | undefined
  /** Whether the video becomes published. */
  readonly publish: boolean
  /** Whether the source is no longer needed. */
  readonly dropSource: boolean
  /** Other objects stored by this attempt that are in use from now on. */
  readonly keep?: ReadonlyArray<ObjectName> | undefined
  /** Follow-up jobs. */
  readonly next?: ReadonlyArray<NewJob> | undefined
  /** What happens to the job. Absent: it completes. */
  readonly end?: ((lease: JobLease) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>) | undefined
}

/** How long replaced files are kept, because running players still read them. */
const grace = Duration.toSeconds(Duration.hours(1))
const published = 1
const toTranscode = 2
const failedState = 7

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard
  const files = sql`(exists (select 1 from video_file f where f.video_id = v.id)
    or exists (select 1 from streaming_playlist p where p.video_id = v.id))`
  /** Whether a video `v` that gets no more files is published with those it has: one that waits for all was not seen yet. */
  const suffices = sql`${files} and (not v.wait_transcoding or ${stands(sql)})`
  /** Publication date of a video `v` that is published now. */
  const since = sql`case when ${stands(sql)} then v.published_at else now() end`

  const commit = Effect.fn("VideoPublication.commit")(
    function* (work: Publication) {
      const video = yield* lockVideo(sql, work.videoId)
      if (video === undefined || isPrivate(video.privacy) !== isPrivate(work.privacy)) {
        return yield* new VideoChanged({ videoId: work.videoId })
      }
      if (work.renditions !== undefined) yield* replaceRenditions(sql, video, work.renditions, grace, work.only)
      if (work.shape !== undefined) {
        yield* showSource(sql, video.id, work.shape)
        if (work.storyboard === undefined) yield* removeStoryboard(sql, video.id)
      }
      if (work.thumbnails !== undefined) yield* setThumbnails(sql, video.id, work.thumbnails, grace)
      if (work.storyboard !== undefined) yield* replaceStoryboard(sql, video.id, work.storyboard)
      yield* keepObjects(sql, work.keep ?? [])
      if (work.dropSource) yield* dropSources(sql, video.id)
      const publishes = work.publish && video.state !== published
      yield* sql`
      update video v set
        state = case when ${publishes} then ${published} else state end,
        published_at = case when ${publishes} then ${since} else published_at end,
        updated_at = now()
      where id = ${video.id}
    `
      for (const job of work.next ?? []) yield* jobs.enqueue(job)
      yield* work.end === undefined ? jobs.complete(work.lease) : work.end(work.lease)
      return publishes
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const fail = Effect.fn("VideoPublication.fail")(
    function* (videoId: number, lease: JobLease, error: string, final: boolean) {
      // The video before its job, in the same order as in `commit`.
      yield* lockVideo(sql, videoId)
      const became = yield* jobs.fail(lease, error, { final })
      const isPipeline =
        (yield* sql`select 1 from job where id = ${lease.id} and type = any(${pipelineTypes}::text[])`).length > 0
      if (became === "failed" && isPipeline) {
        yield* sql`
        update video v set state = ${failedState}, updated_at = now()
        where id = ${videoId} and state <> ${published} and not (${suffices})
      `
        // Existing renditions are better than nothing, although the rest failed.
        yield* sql`
        update video v set state = ${published}, published_at = ${since}, updated_at = now()
        where id = ${videoId} and state not in (${published}, ${failedState})
      `
      }
      return became
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const intend = (objects: ReadonlyArray<ObjectName>) =>
    intendObjects(sql, objects).pipe(withDatabaseErrors, Effect.withSpan("VideoPublication.intend"))

  const abandon = Effect.fn("VideoPublication.abandon")(function* (token: string) {
    yield* sql`update object_removal set not_before = now() where store is null and position(${token}::text in name) > 0`
  }, withDatabaseErrors)

  const settleAbandoned = Effect.gen(function* () {
    const rows = yield* sql<{ id: number }>`
      update video v set
        state = case when ${suffices} then ${published} else ${failedState} end,
        published_at = ${since}, updated_at = now()
      where v.state = ${toTranscode} and not v.remote and not v.is_live
        and not exists (
          select 1 from job j where j.video_id = v.id and j.type <> ${storyboardType}
            and j.state not in ('completed', 'failed', 'cancelled')
        )
      returning v.id
    `
    return rows.map((row) => row.id)
  }).pipe(withDatabaseErrors, Effect.withSpan("VideoPublication.settleAbandoned"))

  const using: VideoPublication["Service"]["using"] = (objects, work) => usingNewObjects(sql, objects, work)

  return VideoPublication.of({ commit, fail, intend, using, abandon, settleAbandoned })
})

/** The steps by which the files of a video come into use, each one transaction. */
export class VideoPublication extends Context.Service<
  VideoPublication,
  {
    /**
     * Applies the result of one step and ends its job: renditions are replaced, and the old ones are removed an hour
     * later. Returns whether this published the video.
     */
    readonly commit: (work: Publication) => Effect.Effect<boolean, VideoChanged | LeaseLost | DatabaseUnavailable>
    /**
     * Fails an attempt. If it was the last, a video with nothing to play, or whose user waits for all renditions, gets the
     * state TRANSCODING_FAILED, and one that has something is published with it.
     */
    readonly fail: (
      videoId: number,
      lease: JobLease,
      error: string,
      final: boolean
    ) => Effect.Effect<"delayed" | "failed", LeaseLost | DatabaseUnavailable>
    /** Must be called before objects are stored: unless a commit follows within a day, they are removed. */
    readonly intend: (objects: ReadonlyArray<ObjectName>) => Effect.Effect<void, DatabaseUnavailable>
    /** Runs work that stores these objects and puts them into use in one transaction. If it fails they are removed. */
    readonly using: <A, E, R>(
      objects: ReadonlyArray<ObjectName>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
    /** Removes at once the objects of an attempt that did not commit: all whose names contain its token. */
    readonly abandon: (token: string) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Videos that wait for work nobody will do, because their jobs used up their attempts in crashes: published with
     * what they have, else TRANSCODING_FAILED. Returns their ids.
     */
    readonly settleAbandoned: Effect.Effect<ReadonlyArray<number>, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/VideoPublication") {
  static readonly layer = Layer.effect(VideoPublication, make)
}
