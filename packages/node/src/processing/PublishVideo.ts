import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { PictureFile } from "@kinora/media/images/Pictures"
import { Thumbnails } from "@kinora/media/images/Thumbnails"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import { browserPlayable } from "@kinora/media/remux/BrowserPlayable"
import { Remux } from "@kinora/media/remux/Remux"
import type { Encoded } from "@kinora/media/transcode/Encoded"
import { fileNames } from "@kinora/media/transcode/FileNames"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/jobs/Job"
import { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { ProcessingVideos, type ProcessingVideo } from "@kinora/storage/videos/writes/ProcessingVideos"
import { type VideoChanged, VideoPublication } from "@kinora/storage/videos/writes/VideoPublication"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { uuidOf } from "../uploads/UploadNames.ts"
import { ProcessingFailed, toolFailed } from "./Outcome.ts"
import { PublishPayload, transcodingJob } from "./ProcessingJobs.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"
import { reached } from "./Steps.ts"
import { SourceFiles } from "./SourceFiles.ts"
import { SourceOf } from "./SourceOf.ts"
import { StoreFiles } from "./StoreFiles.ts"
import { type MadeTorrent, VideoTorrents } from "./VideoTorrents.ts"
import { WorkFolders } from "./WorkFolders.ts"

export type JobFailure = ProcessingFailed | InsufficientStorage | DatabaseUnavailable | LeaseLost | VideoChanged

/** The source as browsers can play it. */
interface Playable {
  readonly encoded: Encoded
  readonly torrents: ReadonlyMap<string, MadeTorrent>
}

const decodePayload = Schema.decodeUnknownEffect(PublishPayload)
const sizes = [
  { type: 1, width: 280, height: 157 },
  { type: 2, width: 850, height: 480 }
] as const

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const videos = yield* ProcessingVideos
  const publication = yield* VideoPublication
  const board = yield* JobBoard
  const folders = yield* WorkFolders
  const sources = yield* SourceFiles
  const sourceOf = yield* SourceOf
  const files = yield* StoreFiles
  const torrents = yield* VideoTorrents
  const probe = yield* Probe
  const remux = yield* Remux
  const thumbnails = yield* Thumbnails

  /** A video without pictures can still be watched: what goes wrong here is logged, not fatal. */
  const pictures = Effect.fnUntraced(function* (
    video: ProcessingVideo,
    source: string,
    info: MediaInfo,
    folder: string,
    token: string
  ) {
    const missing = sizes.filter(({ type }) => !video.thumbnailTypes.includes(type))
    if (missing.length === 0) return undefined
    return yield* thumbnails
      .fromVideo({
        source,
        info,
        directory: folder,
        sizes: missing,
        analyzed: settings.framesToAnalyze,
        name: ({ width }) => `${uuidOf(token, `thumbnail-${width}`)}.jpg`
      })
      .pipe(
        Effect.catch((error): Effect.Effect<ReadonlyArray<PictureFile> | undefined> =>
          Effect.as(Effect.logWarning("No thumbnail could be made", error), undefined)
        )
      )
  })

  /** The source as browsers can play it now; undefined when that needs the ladder. */
  const playable = Effect.fnUntraced(function* (
    video: ProcessingVideo,
    source: string,
    info: MediaInfo,
    folder: string,
    token: string
  ) {
    if (settings.transcoding && (video.waitTranscoding || !browserPlayable(info).playable)) return undefined
    const made = Effect.gen(function* () {
      const encoded = yield* remux.remux({
        source,
        info,
        directory: folder,
        names: fileNames(token),
        hls: settings.transcoding && settings.hls,
        webVideo: settings.webVideos || !settings.transcoding,
        splitAudio: settings.splitAudio
      })
      return { encoded, torrents: yield* torrents.make(video, encoded) }
    })
    if (!settings.transcoding) return yield* Effect.mapError(made, toolFailed(2))
    return yield* Effect.catch(made, (error): Effect.Effect<Playable | undefined> =>
      Effect.as(Effect.logWarning("The source cannot be published as it is and waits for the ladder", error), undefined)
    )
  })

  const work = Effect.fnUntraced(function* (job: ClaimedJob, video: ProcessingVideo, filename: string) {
    const folder = yield* folders.make(job)
    const token = uuidOf(job.uuid, `attempt-${job.attempt}`)
    const source = yield* sourceOf.local(filename, folder)
    const info = yield* Effect.mapError(probe.probe(source), toolFailed(job.attempt))
    const [thumbnailFiles, remuxed] = yield* Effect.all(
      [pictures(video, source, info, folder, token), playable(video, source, info, folder, token)],
      { concurrency: 2 }
    )
    // A file none of whose pictures can be decoded is damaged inside: the ladder will tell.
    const decodable = thumbnailFiles !== undefined || video.thumbnailTypes.length === sizes.length
    const ready = decodable || !settings.transcoding ? remuxed : undefined
    yield* reached("publish:made")
    const stored = yield* files.store(video, { ...ready, thumbnails: thumbnailFiles })
    yield* reached("publish:stored")
    const published = yield* publication.commit({
      videoId: video.id,
      lease: job.lease,
      privacy: video.privacy,
      renditions: stored.renditions,
      thumbnails: stored.thumbnails,
      publish: ready !== undefined,
      dropSource: !settings.transcoding && !settings.keepOriginal,
      next: settings.transcoding ? [transcodingJob({ videoId: video.id })] : []
    })
    yield* reached("publish:committed")
    if (published) yield* Effect.logInfo(`Video ${video.uuid} is published as uploaded`)
  }, Effect.scoped)

  const run = Effect.fn("PublishVideo.run")(function* (job: ClaimedJob) {
    const payload = yield* Effect.mapError(
      decodePayload(job.payload),
      (error) => new ProcessingFailed({ message: error.message, final: true })
    )
    const video = yield* videos.find(payload.videoId)
    if (Option.isNone(video) || video.value.sourceFilename === null) return yield* board.complete(job.lease)
    const { sourceFilename } = video.value
    if (payload.uploadId !== null) yield* sources.adopt(payload.uploadId, sourceFilename)
    yield* reached("publish:adopted")
    yield* work(job, video.value, sourceFilename)
  })

  return PublishVideo.of({ run })
})

/**
 * The job right after an upload: pictures, publication at once when the source plays in browsers as it is, and the ladder
 * as the next job. Without transcoding the source, remuxed, is all there will be.
 */
export class PublishVideo extends Context.Service<
  PublishVideo,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/processing/PublishVideo") {
  static readonly layer = Layer.effect(PublishVideo, make)
}
