import { ladder } from "@kinora/media/ladder/Ladder"
import { Probe } from "@kinora/media/probe/Probe"
import type { Progress } from "@kinora/media/process/FfmpegProgress"
import type { Encoded } from "@kinora/media/transcode/Encoded"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Transcode } from "@kinora/media/transcode/Transcode"
import type { ClaimedJob } from "@kinora/storage/jobs/Job"
import { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { ObjectStore } from "@kinora/storage/objects/ObjectStore"
import { ProcessingVideos, type ProcessingVideo } from "@kinora/storage/videos/writes/ProcessingVideos"
import { VideoPublication } from "@kinora/storage/videos/writes/VideoPublication"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { join } from "node:path"
import { uuidOf } from "../uploads/UploadNames.ts"
import { ProcessingFailed, toolFailed } from "./Outcome.ts"
import { TranscodingPayload } from "./ProcessingJobs.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"
import type { JobFailure } from "./PublishVideo.ts"
import { SourceOf } from "./SourceOf.ts"
import { reached } from "./Steps.ts"
import { StoreFiles } from "./StoreFiles.ts"
import { VideoTorrents } from "./VideoTorrents.ts"
import { WorkFolders } from "./WorkFolders.ts"

const decodePayload = Schema.decodeUnknownEffect(TranscodingPayload)

/** Least time between two reports of progress, milliseconds. */
const reportEvery = 2000

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const videos = yield* ProcessingVideos
  const publication = yield* VideoPublication
  const board = yield* JobBoard
  const folders = yield* WorkFolders
  const objects = yield* ObjectStore
  const sourceOf = yield* SourceOf
  const files = yield* StoreFiles
  const torrents = yield* VideoTorrents
  const probe = yield* Probe
  const transcode = yield* Transcode

  /** Writes progress to the job now and then. Reports that fail say nothing of the encode: it goes on. */
  const reporter = (job: ClaimedJob, video: ProcessingVideo) => {
    let reportedAt = 0
    return Effect.fnUntraced(function* ({ fraction, speed }: Progress) {
      const now = yield* Clock.currentTimeMillis
      if (now - reportedAt < reportEvery) return
      reportedAt = now
      const percent = Math.floor(fraction * 100)
      yield* Effect.logDebug(`Video ${video.uuid}: ${percent} % encoded, ${speed.toFixed(2)} × real time`)
      yield* Effect.ignore(board.progress(job.lease, percent), { log: "Debug" })
    })
  }

  /** Looks into every file that was made: players are told what is inside, and a broken one does not get far. */
  const describe = Effect.fnUntraced(function* ({ renditions }: Encoded) {
    const paths = renditions.flatMap(({ hls, web }) => [hls, web].flatMap((made) => (made ? [made.file] : [])))
    const told = yield* Effect.forEach(
      paths,
      (path) => Effect.map(probe.probe(path), ({ raw }) => [path, raw] as const),
      { concurrency: 2 }
    )
    return new Map<string, unknown>(told)
  })

  const stillOf = (video: ProcessingVideo): string | undefined =>
    video.previewFilename === null
      ? undefined
      : Option.getOrUndefined(objects.localPath({ bucket: "thumbnails", name: video.previewFilename }))

  const work = Effect.fnUntraced(function* (job: ClaimedJob, video: ProcessingVideo, filename: string) {
    const folder = yield* folders.make(job)
    const token = uuidOf(job.uuid, `attempt-${job.attempt}`)
    const source = yield* sourceOf.local(filename, folder)
    const info = yield* Effect.mapError(probe.probe(source), toolFailed(job.attempt))
    const picture = info.video === undefined ? stillOf(video) : undefined
    const encoded = yield* transcode
      .transcode({
        source,
        info,
        renditions: ladder(info, settings),
        directory: folder,
        names: fileNames(token),
        hls: settings.hls,
        webVideo: settings.webVideos,
        splitAudio: settings.splitAudio,
        storyboard: settings.storyboards && info.video !== undefined ? join(folder, `${token}.jpg`) : undefined,
        ...(picture === undefined ? {} : { picture }),
        onProgress: reporter(job, video)
      })
      .pipe(Effect.mapError(toolFailed(job.attempt)))
    const metadata = yield* Effect.mapError(describe(encoded), toolFailed(job.attempt))
    const seeded = yield* Effect.mapError(torrents.make(video, encoded), toolFailed(job.attempt))
    yield* reached("transcode:made")
    const stored = yield* files.store(video, { encoded, metadata, torrents: seeded })
    yield* reached("transcode:stored")
    yield* publication.commit({
      videoId: video.id,
      lease: job.lease,
      privacy: video.privacy,
      renditions: stored.renditions,
      storyboard: stored.storyboard,
      publish: true,
      dropSource: !settings.keepOriginal
    })
    yield* reached("transcode:committed")
    yield* Effect.logInfo(`Video ${video.uuid} has its ${encoded.renditions.length} renditions`)
  }, Effect.scoped)

  const run = Effect.fn("TranscodeVideo.run")(function* (job: ClaimedJob) {
    const payload = yield* Effect.mapError(
      decodePayload(job.payload),
      (error) => new ProcessingFailed({ message: error.message, final: true })
    )
    const video = yield* videos.find(payload.videoId)
    if (Option.isNone(video) || video.value.sourceFilename === null) return yield* board.complete(job.lease)
    yield* work(job, video.value, video.value.sourceFilename)
  })

  return TranscodeVideo.of({ run })
})

/** The ladder of a video: every rendition and the storyboard in one pass, in place of all it had before. */
export class TranscodeVideo extends Context.Service<
  TranscodeVideo,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/processing/TranscodeVideo") {
  static readonly layer = Layer.effect(TranscodeVideo, make)
}
