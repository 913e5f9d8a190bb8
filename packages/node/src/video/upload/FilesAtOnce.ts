import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { FirstFiles } from "@kinora/storage/video/write/FirstFiles"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Context, Duration, Effect, Layer, Option, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import { FinishedFiles } from "../process/FinishedFiles.ts"
import { PlayableSource } from "../process/PlayableSource.ts"
import { ProcessingSettings } from "../process/ProcessingSettings.ts"
import { VideoPictures, wantsPictures } from "../process/VideoPictures.ts"
import { WorkFolders } from "../process/WorkFolders.ts"
import { UploadDisk } from "../staging/UploadDisk.ts"

/** An upload that has arrived, before it becomes a video. */
export interface ArrivedVideo {
  readonly uploadId: string
  readonly info: MediaInfo
  readonly uuid: string
  readonly name: string
  readonly privacy: number
  readonly waitTranscoding: boolean
  /** Types of the thumbnails that came with it. */
  readonly thumbnailTypes: ReadonlyArray<number>
}

/** First files in the object store. */
export interface StoredFirstFiles extends FirstFiles {
  /** Removes them, if no transaction used them. */
  readonly abandon: Effect.Effect<void>
}

type MakeFilesAtOnce = (video: ArrivedVideo) => Effect.Effect<Option.Option<StoredFirstFiles>>

/**
 * Makes the first files of an upload before it becomes a video, so that the transaction that creates the video publishes it
 * with them. A video whose user waits for its ladder has them, too: clients read `files[0]` of any upload at once.
 * None if browsers cannot play the source as it is, or if that takes too long: then a job makes them. By default, as where no worker
 * runs, that is always so.
 */
export const FilesAtOnce = Context.Reference<MakeFilesAtOnce>("@kinora/node/uploads/FilesAtOnce", {
  defaultValue: () => () => Effect.succeedNone
})

/** The wait for a turn included: a script that sends many videos together finds the files of each. */
const atMost = Duration.seconds(20)
/** Larger files take too long to be copied. */
const largest = 512 * 1024 ** 2
/** As many as there are workers for first jobs. */
const atOnce = 2
/** Of a first attempt: the job has attempts of its own. */
const attempt = { attempt: 1, maxAttempts: 1 }

const make = Effect.gen(function* () {
  const disk = yield* UploadDisk
  const folders = yield* WorkFolders
  const playable = yield* PlayableSource
  const processing = yield* ProcessingSettings
  const pictures = yield* VideoPictures
  const finished = yield* FinishedFiles
  const publication = yield* VideoPublication
  const turns = yield* Semaphore.make(atOnce)

  const work = Effect.fnUntraced(function* (video: ArrivedVideo, token: string) {
    const { info, thumbnailTypes, uploadId } = video
    const folder = yield* folders.make({ uuid: token, attempt: attempt.attempt })
    const file = { source: disk.path(uploadId), info, folder, token }
    const pictured = { shown: true, thumbnailTypes, chosenTypes: thumbnailTypes }
    const encoded = yield* playable.make(file)
    if (encoded === undefined) return Option.none<FirstFiles>()
    const thumbnails = yield* pictures.make({ ...file, job: attempt, video: pictured })
    // A file without any decodable frame is damaged: the job will report it.
    if (thumbnails === undefined && wantsPictures(pictured)) return Option.none<FirstFiles>()
    const stored = yield* finished.store(video, { encoded, thumbnails }, "publish", attempt.attempt)
    return Option.map(Option.fromUndefinedOr(stored.renditions), (renditions): FirstFiles => ({
      renditions,
      thumbnails: stored.thumbnails ?? [],
      publish: !(processing.transcoding && video.waitTranscoding)
    }))
  }, Effect.scoped)

  return Effect.fn("FilesAtOnce.make")(function* (video: ArrivedVideo) {
    if (video.info.size > largest) return Option.none<StoredFirstFiles>()
    const token = randomUUID()
    const abandon = Effect.ignore(publication.abandon(token), {
      log: "Warn",
      message: "Files that are not needed could not be removed; the daily sweep does"
    })
    const made = yield* work(video, token).pipe(
      turns.withPermits(1),
      Effect.interruptible,
      Effect.timeoutOption(atMost),
      Effect.map(Option.flatten),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("A job makes the first files of an upload", cause), Option.none<FirstFiles>())
      )
    )
    if (Option.isNone(made)) {
      yield* abandon
      return Option.none<StoredFirstFiles>()
    }
    return Option.some<StoredFirstFiles>({ ...made.value, abandon })
  })
})

export const filesAtOnceLayer = Layer.effect(FilesAtOnce, make)
