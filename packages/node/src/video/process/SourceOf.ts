import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { FfmpegFailed, ToolMissing } from "@kinora/media/errors/MediaErrors"
import { Mux, type MuxInputs } from "@kinora/media/mux/Mux"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { playlistsBucket, webVideosBucket } from "@kinora/storage/video/write/NewRenditions"
import { type KeptFile, ProcessingVideos, type ProcessingVideo } from "@kinora/storage/video/write/ProcessingVideos"
import { hlsName } from "@kinora/storage/platform/objects/ObjectIntents"
import { Context, Effect, Layer, Option } from "effect"
import { join } from "node:path"
import { openUploadFile } from "../../platform/body/UploadFile.ts"
import { ProcessingFailed } from "./Outcome.ts"

type Refused = ProcessingFailed | InsufficientStorage

/** Object key of a rendition. */
export const keyOfRendition = ({ privacy, uuid }: ProcessingVideo, { filename, hls }: KeptFile): ObjectKey =>
  hls
    ? { bucket: playlistsBucket(privacy), name: hlsName(uuid, filename) }
    : { bucket: webVideosBucket(privacy), name: filename }

const missingSource = () => new ProcessingFailed({ message: "The uploaded file is missing", final: true })
const missingObject = () => new ProcessingFailed({ message: "A file of the video is missing", final: false })
/** They were replaced or moved to another folder after they were looked up. */
const missingRendition = () => new ProcessingFailed({ message: "A rendition is missing", final: false })
const notJoined = (error: FfmpegFailed | ToolMissing) =>
  new ProcessingFailed({ message: `Video and audio cannot be merged: ${error.message}`, final: false })

/** Provides the input of a video as a file the tools can read. */
export class SourceOf extends Context.Service<
  SourceOf,
  {
    /** Absolute path of the source. A file in object storage is copied into `folder`. */
    readonly local: (filename: string, folder: string) => Effect.Effect<string, Refused>
    /** The same for any object. */
    readonly object: (key: ObjectKey, folder: string) => Effect.Effect<string, Refused>
    /**
     * The same for the best rendition, if the source was not kept: the highest one, with the audio of another if its
     * own is in a separate file. None if there is no rendition.
     */
    readonly renditions: (
      video: ProcessingVideo,
      folder: string
    ) => Effect.Effect<Option.Option<string>, Refused | DatabaseUnavailable>
  }
>()("@kinora/node/processing/SourceOf") {
  static readonly layer = Layer.effect(
    SourceOf,
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const videos = yield* ProcessingVideos
      const mux = yield* Mux

      const fetch = (key: ObjectKey, folder: string, gone: () => ProcessingFailed) =>
        Effect.catchTag(objects.localFile(key, folder), "ObjectNotFound", () => Effect.fail(gone()))

      const joined = Effect.fnUntraced(function* (inputs: MuxInputs, folder: string) {
        const path = join(folder, "joined.mp4")
        const file = yield* openUploadFile(path, 0)
        const { next } = yield* Effect.mapError(mux.mux(inputs), notJoined)
        for (;;) {
          const bytes = yield* Effect.mapError(next, notJoined)
          if (bytes === undefined) return path
          yield* file.write(bytes)
        }
      }, Effect.scoped)

      const renditions = Effect.fn("SourceOf.renditions")(function* (video: ProcessingVideo, folder: string) {
        const files = yield* videos.keptFiles(video.id)
        const best = files.find((file) => file.hasVideo) ?? files[0]
        if (best === undefined) return Option.none<string>()
        const path = yield* fetch(keyOfRendition(video, best), folder, missingRendition)
        const audioFile = best.hasAudio ? undefined : files.findLast((file) => file.hasAudio)
        if (audioFile === undefined) return Option.some(path)
        const audio = yield* fetch(keyOfRendition(video, audioFile), folder, missingRendition)
        return Option.some(yield* joined({ video: path, audio }, folder))
      })

      return SourceOf.of({
        local: Effect.fn("SourceOf.local")((filename: string, folder: string) =>
          fetch({ bucket: "original_video_files", name: filename }, folder, missingSource)
        ),
        object: (key, folder) => fetch(key, folder, missingObject),
        renditions
      })
    })
  )
}
