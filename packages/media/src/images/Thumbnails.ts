import { Context, Effect, FileSystem, Layer, Path, type PlatformError } from "effect"
import {
  type FfmpegFailed,
  type ToolMissing,
  UnsupportedMedia,
  type UnsupportedPicture
} from "../errors/MediaErrors.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { Frames } from "./Frames.ts"
import { type PictureFile, Pictures, type PictureSize } from "./Pictures.ts"

/** The sizes of the contract: the small one for lists, the large one for the player. */
export const usualSizes: ReadonlyArray<PictureSize> = [
  { width: 280, height: 157 },
  { width: 850, height: 480 }
]

export interface ThumbnailOptions {
  /** Absolute path of the video, or of the uploaded image. */
  readonly source: string
  /** Existing folder for the files. */
  readonly directory: string
  readonly sizes: ReadonlyArray<PictureSize>
  /** The file name for a size, without folder. */
  readonly name: (size: PictureSize) => string
}

export interface FromVideoOptions extends ThumbnailOptions {
  readonly info: MediaInfo
  readonly analyzed?: number
  readonly at?: number
}

/** Thumbnails of a video, as JPEG cropped to exact sizes. */
export class Thumbnails extends Context.Service<
  Thumbnails,
  {
    /**
     * From the video itself, or from the cover of an audio file: the most representative frame near the beginning (out
     * of `analyzed`, 50 by default), or the one shown at `at` seconds.
     */
    fromVideo(
      options: FromVideoOptions
    ): Effect.Effect<
      ReadonlyArray<PictureFile>,
      FfmpegFailed | ToolMissing | UnsupportedMedia | UnsupportedPicture | PlatformError.PlatformError
    >
    /** From an uploaded image: JPEG, PNG, WebP or GIF by its bytes. */
    fromPicture(
      options: ThumbnailOptions
    ): Effect.Effect<ReadonlyArray<PictureFile>, UnsupportedPicture | PlatformError.PlatformError>
  }
>()("@kinora/media/images/Thumbnails") {
  static readonly layer = Layer.effect(
    Thumbnails,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const frames = yield* Frames
      const pictures = yield* Pictures

      const targets = (options: ThumbnailOptions) =>
        options.sizes.map((size) => ({ ...size, path: path.join(options.directory, options.name(size)) }))

      const fromPicture = Effect.fn("Thumbnails.fromPicture")(function* (options: ThumbnailOptions) {
        return yield* pictures.write(options.source, targets(options), "cover")
      })

      const fromVideo = Effect.fn("Thumbnails.fromVideo")(function* (options: FromVideoOptions) {
        const { info, source } = options
        const scratch = yield* fs.makeTempDirectoryScoped({ directory: options.directory, prefix: ".frame-" })
        const file = path.join(scratch, "frame.png")
        const [cover] = info.pictures
        if (info.video !== undefined && options.at !== undefined) {
          yield* frames.exact(source, info.video, { at: options.at, path: file })
        } else if (info.video !== undefined) {
          // The first frames are often black or a title.
          const at = Math.min(info.duration * 0.1, 60)
          yield* frames.representative(source, info, info.video, { at, analyzed: options.analyzed ?? 50, path: file })
        } else if (cover !== undefined) yield* frames.attached(source, cover.stream, file)
        else {
          return yield* Effect.forEach(targets(options), (target) => pictures.plain(target))
        }
        if (!(yield* fs.exists(file))) {
          return yield* new UnsupportedMedia({ reason: "no-frames", detail: "No frame of the video can be decoded." })
        }
        return yield* pictures.write(file, targets(options), "cover")
      }, Effect.scoped)

      return Thumbnails.of({ fromVideo, fromPicture })
    })
  )
}
