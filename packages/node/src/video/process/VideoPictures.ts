import type { PictureFile } from "@kinora/media/images/Pictures"
import { Thumbnails } from "@kinora/media/images/Thumbnails"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { ProcessingVideo } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Layer } from "effect"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"

const sizes = [
  { type: 1, width: 280, height: 157 },
  { type: 2, width: 850, height: 480 }
] as const

/** Sizes that are to be made of the source: those it has not, and of another source than is shown all that nobody chose. */
const wanted = (video: ProcessingVideo) => {
  const stay = video.shown ? video.thumbnailTypes : video.chosenTypes
  return sizes.filter(({ type }) => !stay.includes(type))
}

/** Whether the video lacks pictures of its source. */
export const wantsPictures = (video: ProcessingVideo): boolean => wanted(video).length > 0

/** Pictures of a video from its source. */
export class VideoPictures extends Context.Service<
  VideoPictures,
  {
    /** Those the video lacks, in the folder of the attempt; undefined when none is lacking, or none can be made. */
    readonly make: (attempt: {
      readonly video: ProcessingVideo
      readonly source: string
      readonly info: MediaInfo
      readonly folder: string
      readonly token: string
    }) => Effect.Effect<ReadonlyArray<PictureFile> | undefined>
  }
>()("@kinora/node/processing/VideoPictures") {
  static readonly layer = Layer.effect(
    VideoPictures,
    Effect.gen(function* () {
      const settings = yield* ProcessingSettings
      const thumbnails = yield* Thumbnails
      return VideoPictures.of({
        make: Effect.fn("VideoPictures.make")(function* ({ folder, info, source, token, video }) {
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
              // A video without pictures can still be watched: what goes wrong here is logged, not fatal.
              Effect.catch((error): Effect.Effect<ReadonlyArray<PictureFile> | undefined> =>
                Effect.as(Effect.logWarning("No thumbnail could be made", error), undefined)
              )
            )
        })
      })
    })
  )
}
