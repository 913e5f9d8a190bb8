import type { PictureFile } from "@kinora/media/images/Pictures"
import { Thumbnails } from "@kinora/media/images/Thumbnails"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import type { ProcessingVideo } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Layer } from "effect"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { isTransient, ProcessingFailed } from "./Outcome.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"

/** Pixels of the larger thumbnail. */
export const previewSize = { width: 850, height: 480 } as const

const sizes = [
  { type: 1, width: 280, height: 157 },
  { type: 2, ...previewSize }
] as const

/** What says which thumbnails a video needs. */
export type Pictured = Pick<ProcessingVideo, "shown" | "thumbnailTypes" | "chosenTypes">

/** Thumbnail sizes to make from the source: the missing ones, and for a replaced source all that no user chose. */
const wanted = (video: Pictured) => {
  const stay = video.shown ? video.thumbnailTypes : video.chosenTypes
  return sizes.filter(({ type }) => !stay.includes(type))
}

/** Whether thumbnails of the source are missing. */
export const wantsPictures = (video: Pictured): boolean => wanted(video).length > 0

/** Thumbnails of a video from its source. */
export class VideoPictures extends Context.Service<
  VideoPictures,
  {
    /** Makes the missing ones, in the folder of the attempt. Undefined if none is missing or none can be made. */
    readonly make: (attempt: {
      readonly job: Pick<ClaimedJob, "attempt" | "maxAttempts">
      readonly video: Pictured
      readonly source: string
      readonly info: MediaInfo
      readonly folder: string
      readonly token: string
    }) => Effect.Effect<ReadonlyArray<PictureFile> | undefined, ProcessingFailed>
  }
>()("@kinora/node/processing/VideoPictures") {
  static readonly layer = Layer.effect(
    VideoPictures,
    Effect.gen(function* () {
      const settings = yield* ProcessingSettings
      const thumbnails = yield* Thumbnails
      return VideoPictures.of({
        make: Effect.fn("VideoPictures.make")(function* ({ folder, info, job, source, token, video }) {
          const missing = wanted(video)
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
              Effect.catch((error): Effect.Effect<ReadonlyArray<PictureFile> | undefined, ProcessingFailed> => {
                // No disk space, or the tool was killed: a later attempt may succeed.
                if (isTransient(error) && job.attempt < job.maxAttempts) {
                  return Effect.fail(
                    new ProcessingFailed({ message: `No thumbnail could be made: ${error.message}`, final: false })
                  )
                }
                // A video without thumbnails can still be watched: an error here is only logged.
                return Effect.as(Effect.logWarning("No thumbnail could be made", error), undefined)
              })
            )
        })
      })
    })
  )
}
