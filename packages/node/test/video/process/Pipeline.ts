import { decodeResumableUpload } from "@kinora/domain/requests/VideoUpload"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import type { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { storyboardType } from "@kinora/storage/video/work/VideoWork"
import { Effect, Option, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { publishType, transcodingType } from "../../../src/video/process/ProcessingJobs.ts"
import { PublishVideo } from "../../../src/video/process/PublishVideo.ts"
import { StoryboardVideo } from "../../../src/video/process/StoryboardVideo.ts"
import { TranscodeVideo } from "../../../src/video/process/TranscodeVideo.ts"
import { WorkerPool } from "../../../src/video/process/WorkerPool.ts"
import { ResumableUploads } from "../../../src/video/upload/ResumableUploads.ts"
import { filesLeft, type TestUser } from "../upload/UploadNode.ts"

/** Uploads a file in one chunk and gives the video. */
export const upload = Effect.fn("upload")(function* (
  owner: TestUser,
  path: string,
  fields: Record<string, unknown> = {}
) {
  const uploads = yield* ResumableUploads
  const bytes = readFileSync(path)
  const decoded = yield* decodeResumableUpload({
    name: "A clip",
    channelId: owner.channelId,
    filename: `clip${path.slice(path.lastIndexOf("."))}`,
    ...fields
  })
  const id = yield* uploads.newId
  yield* uploads.create(owner.user, decoded, { size: bytes.length, contentType: "video/mp4" }, id, new Map())
  const range = { _tag: "Chunk", start: 0, end: bytes.length - 1, total: bytes.length } as const
  const progress = yield* uploads.put(owner.user, id, range, bytes.length, Stream.make(bytes))
  return progress._tag === "Finished" ? progress.video : yield* Effect.die("the upload is not finished")
})

const unfinished = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ count: number }>`
    select count(*) as count from job where state not in ('completed', 'failed', 'cancelled')`
  return row!.count
})

/** Runs the workers until the board has nothing left to do. */
export const workOff = Effect.gen(function* () {
  const pool = yield* WorkerPool
  const publish = yield* PublishVideo
  const transcode = yield* TranscodeVideo
  const storyboards = yield* StoryboardVideo
  const done = unfinished.pipe(Effect.repeat({ until: (count) => count === 0, schedule: Schedule.spaced("50 millis") }))
  yield* Effect.raceAll([
    pool.listen,
    pool.worker([publishType], publish.run),
    pool.worker([transcodingType], transcode.run),
    pool.worker([storyboardType], storyboards.run),
    done
  ])
})

/** Runs the next job of a type as a worker would that dies with it: nothing is reported and nothing cleaned up. */
export const runDoomed = Effect.fn("runDoomed")(function* (type: typeof publishType | typeof transcodingType) {
  const board = yield* JobBoard
  const publish = yield* PublishVideo
  const transcode = yield* TranscodeVideo
  const job = yield* board.claim([type], "test", "1 minute")
  if (Option.isNone(job)) return yield* Effect.die(`no job ${type}`)
  return yield* Effect.exit(type === publishType ? publish.run(job.value) : transcode.run(job.value))
})

export interface Outcome {
  readonly state: number
  readonly thumbnails: number
  readonly storyboards: number
  readonly source: string | null
  readonly web: ReadonlyArray<number>
  readonly hls: ReadonlyArray<number>
}

/** What the database says of a video. */
export const outcome = Effect.fn("outcome")(function* (videoId: number) {
  const sql = yield* SqlClient
  const rows = yield* sql<Outcome>`
    select v.state,
      (select count(*) from thumbnail where video_id = v.id) as thumbnails,
      (select count(*) from storyboard where video_id = v.id) as storyboards,
      (select filename from video_source where video_id = v.id) as source,
      array(select resolution from video_file where video_id = v.id order by 1) as web,
      array(
        select f.resolution from video_file f join streaming_playlist p on p.id = f.streaming_playlist_id
        where p.video_id = v.id order by 1
      ) as hls
    from video v where v.id = ${videoId}
  `
  return rows[0]!
})

/** Names of all files that the database knows. */
const known = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ name: string }>`
    select 'original_video_files/' || filename as name from video_source where filename is not null
    union select 'thumbnails/' || filename from thumbnail
    union select 'storyboards/' || filename from storyboard
    union select 'web_videos' || case when v.privacy in (3, 4, 5) then '_private/' else '/' end || f.filename
      from video_file f join video v on v.id = f.video_id
    union select 'torrents/' || torrent_filename from video_file where torrent_filename is not null
    union select 'streaming_playlists' || case when v.privacy in (3, 4, 5) then '_private/' else '/' end || v.uuid || '/' || n.name
      from streaming_playlist p join video v on v.id = p.video_id
      left join video_file f on f.streaming_playlist_id = p.id
      cross join lateral (
        values (p.playlist_filename), (p.segments_sha256_filename), (f.filename), (f.playlist_filename)
      ) n (name) where n.name is not null
  `
  return rows.map(({ name }) => name).toSorted()
})

/** Lets every removal come due, and gives the files that are on disk and those that should be. */
export const filesAfterRemovals = Effect.gen(function* () {
  const sql = yield* SqlClient
  const removals = yield* Removals
  yield* sql`update object_removal set not_before = now()`
  while ((yield* removals.execute(100)) > 0);
  return { present: yield* filesLeft, expected: yield* known }
})

/** A store that dies at the `at`th object it is to make, as if the process did. */
export const dyingStore = (store: ObjectStore["Service"], at: number): ObjectStore["Service"] => {
  let made = 0
  const count = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => (++made === at ? Effect.die(new Error("killed")) : effect))
  return {
    ...store,
    put: (key, path) => count(store.put(key, path)),
    copy: (from, to) => count(store.copy(from, to))
  }
}
