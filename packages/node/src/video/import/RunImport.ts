import { constraints } from "@kinora/domain/enums/Constraints"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import { type ImportTask, ImportWork } from "@kinora/storage/video/import/ImportWork"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Duration, Effect, Layer } from "effect"
import { join } from "node:path"
import { EditPictures, type MadePicture } from "../edit/EditPictures.ts"
import { publishJob } from "../process/ProcessingJobs.ts"
import { shapeOf } from "../process/SourceShape.ts"
import { refusedSource, sourceExtension, sourceFacts } from "../upload/SourceFacts.ts"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { sourcesGoTo, UploadSettings } from "../staging/UploadSettings.ts"
import { ImportDownloads, type SizeCap } from "./ImportDownloads.ts"
import { ImportFailed } from "./ImportFailed.ts"
import { ImportFolders } from "./ImportFolders.ts"
import { ImportSettings } from "./ImportSettings.ts"

export type RunFailure = ImportFailed | QuotaReached | InsufficientStorage | LeaseLost | DatabaseUnavailable

const pictureTimeout = Duration.seconds(20)

const make = Effect.gen(function* () {
  const settings = yield* ImportSettings
  const uploads = yield* UploadSettings
  const folders = yield* ImportFolders
  const downloads = yield* ImportDownloads
  const work = yield* ImportWork
  const fetcher = yield* GuardedFetch
  const pictures = yield* EditPictures
  const objects = yield* ObjectStore
  const probe = yield* Probe

  const failed = (message: string) => new ImportFailed({ message })

  /** The smallest of the instance's limit, the owner's remaining quota, and the free disk space. */
  const capOf = Effect.fnUntraced(function* ({ room }: ImportTask): Effect.fn.Return<SizeCap, ImportFailed> {
    const { maxFileSize } = uploads
    const caps: ReadonlyArray<SizeCap> = [
      ...(maxFileSize === -1
        ? []
        : [
            {
              bytes: maxFileSize,
              exceeded: failed(`The video is larger than this instance takes (${maxFileSize} bytes)`)
            }
          ]),
      ...(room === undefined ? [] : [{ bytes: room, exceeded: failed("The video does not fit into the quota") }]),
      { bytes: yield* folders.free, exceeded: failed("This instance has not enough disk space for the video") }
    ]
    const cap = caps.reduce((least, one) => (one.bytes < least.bytes ? one : least))
    return cap.bytes > 0 ? cap : yield* cap.exceeded
  })

  const examine = Effect.fnUntraced(function* (path: string): Effect.fn.Return<MediaInfo, ImportFailed> {
    const unreadable = (error: { readonly detail: string }) =>
      failed(`The file cannot be read as video or audio: ${error.detail}`)
    const unable = (cause: unknown) =>
      Effect.andThen(
        Effect.logError("The state of an import cannot be read", cause),
        Effect.fail(failed("Uploads are not accepted at the moment"))
      )
    const info = yield* probe.probe(path).pipe(
      Effect.catchTags({
        ProbeFailed: (error) => Effect.fail(unreadable(error)),
        UnsupportedMedia: (error) => Effect.fail(unreadable(error)),
        ToolMissing: unable,
        ToolNotStarted: unable
      })
    )
    const refused = refusedSource(info, uploads)
    return refused === undefined ? info : yield* failed(refused.detail)
  })

  /** A thumbnail from the source is optional: without one, a frame of the video is used. */
  const picturesOf = Effect.fnUntraced(function* (task: ImportTask, url: string | undefined, folder: string) {
    if (url === undefined || task.thumbnailTypes.length > 0) return []
    const path = join(folder, "picture")
    return yield* fetcher
      .toFile(url, path, {
        types: ["image/*"],
        maxBytes: constraints.video.image.maxBytes,
        wholeMillis: Duration.toMillis(pictureTimeout)
      })
      .pipe(
        Effect.andThen(pictures.make(new Map([["thumbnailfile", path]]))),
        Effect.catch((error): Effect.Effect<ReadonlyArray<MadePicture>> =>
          Effect.as(Effect.logInfo(`The thumbnail for import ${task.importId} could not be downloaded`, error), [])
        )
      )
  })

  const run = Effect.fn("RunImport.run")(
    function* (job: ClaimedJob, task: ImportTask, progress: (fraction: number) => void) {
      if (task.forbidden) {
        return yield* failed("Who asked for this import was blocked, or works on the channel no longer")
      }
      const folder = yield* folders.make(`${job.uuid}-${job.attempt}`)
      const cap = yield* capOf(task)
      const fetched = yield* downloads.fetch({ task, folder, cap, progress })
      const info = yield* examine(fetched.path)
      // A tool may have written more than it was allowed to.
      if (info.size > cap.bytes) return yield* cap.exceeded
      const made = yield* picturesOf(task, fetched.pictureUrl, folder)
      const source = {
        ...sourceFacts(info),
        inputFilename: fetched.name,
        filename: `${uuidOf(job.uuid, `import-${job.attempt}`)}${sourceExtension(info)}`
      }
      const key = { bucket: "original_video_files", name: source.filename } as const
      const store = Effect.gen(function* () {
        yield* objects.put(key, fetched.path, sourcesGoTo(uploads))
        yield* pictures.store(made)
        yield* work.finish({
          task,
          lease: job.lease,
          facts: fetched.facts,
          source,
          ...shapeOf(info),
          thumbnails: made.map(({ path: _, ...thumbnail }) => thumbnail),
          next: publishJob({ videoId: task.videoId, uploadId: null })
        })
      })
      const stored = [key, ...made.map(({ filename }) => ({ bucket: "thumbnails", name: filename }))]
      yield* work.using(stored, store)
    },
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: settings.timeout,
      orElse: () => Effect.fail(failed(`The import took longer than ${Duration.format(settings.timeout)}`))
    })
  )

  return RunImport.of({ run })
})

/** Fetches the video of an import and passes it to processing like an upload. */
export class RunImport extends Context.Service<
  RunImport,
  {
    /** `progress` receives the progress of the download, from 0 to 1. However it ends, no files remain. */
    readonly run: (
      job: ClaimedJob,
      task: ImportTask,
      progress: (fraction: number) => void
    ) => Effect.Effect<void, RunFailure>
  }
>()("@kinora/node/imports/RunImport") {
  static readonly layer = Layer.effect(RunImport, make)
}
