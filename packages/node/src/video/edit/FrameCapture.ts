import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Thumbnails, usualSizes } from "@kinora/media/images/Thumbnails"
import { Probe } from "@kinora/media/probe/Probe"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { SourceOf } from "../process/SourceOf.ts"
import type { MadePicture } from "./EditPictures.ts"

const refused = (reason: string, seconds: number) => InvalidParameters.one("thumbnailTimecode", reason, "body", seconds)
const nothingToSee = "The video has no pictures to take one of yet"

/** Thumbnails of a video from its frame at a given time. */
export class FrameCapture extends Context.Service<
  FrameCapture,
  {
    /** Makes both sizes in `folder`. Refused for times after the end of the video, and for audio. */
    readonly make: (
      videoId: number,
      seconds: number,
      folder: string
    ) => Effect.Effect<ReadonlyArray<MadePicture>, InvalidParameters | InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/node/edit/FrameCapture") {
  static readonly layer = Layer.effect(
    FrameCapture,
    Effect.gen(function* () {
      const videos = yield* ProcessingVideos
      const sources = yield* SourceOf
      const probe = yield* Probe
      const thumbnails = yield* Thumbnails

      const file = Effect.fnUntraced(function* (videoId: number, folder: string) {
        const video = yield* videos.find(videoId)
        if (Option.isNone(video)) return Option.none<string>()
        const { sourceFilename } = video.value
        return sourceFilename === null
          ? yield* sources.renditions(video.value, folder)
          : Option.some(yield* sources.local(sourceFilename, folder))
      })

      const make = Effect.fn("FrameCapture.make")(
        function* (videoId: number, seconds: number, folder: string) {
          const source = yield* file(videoId, folder)
          if (Option.isNone(source)) return yield* refused(nothingToSee, seconds)
          const info = yield* probe.probe(source.value)
          if (info.video === undefined) return yield* refused(nothingToSee, seconds)
          if (seconds > info.duration) return yield* refused("The video is shorter than this", seconds)
          const made = yield* thumbnails.fromVideo({
            source: source.value,
            info,
            at: seconds,
            directory: folder,
            sizes: usualSizes,
            name: () => `${randomUUID()}.jpg`
          })
          return made.map(({ height, path, width }, i): MadePicture => ({
            type: i === 0 ? 1 : 2,
            filename: path.slice(path.lastIndexOf("/") + 1),
            width,
            height,
            path,
            automaticallyGenerated: false
          }))
        },
        (effect, videoId, seconds) => {
          const unable = (error: unknown) =>
            Effect.andThen(
              Effect.logWarning(`No picture of video ${videoId} could be taken`, error),
              Effect.fail(refused("No frame could be captured at this second", seconds))
            )
          return Effect.catchTags(effect, {
            ProcessingFailed: unable,
            ProbeFailed: unable,
            UnsupportedMedia: unable,
            UnsupportedPicture: unable,
            FfmpegFailed: unable,
            ToolMissing: unable,
            ToolNotStarted: unable,
            PlatformError: unable
          })
        }
      )

      return FrameCapture.of({ make })
    })
  )
}
