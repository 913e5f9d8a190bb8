import { Context, Effect, Layer, type PlatformError } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { Frames } from "./Frames.ts"
import { Pictures, type PictureSize } from "./Pictures.ts"

/** The image shown for audio: the given one, else the file's cover, else a plain one. */
export class StillPicture extends Context.Service<
  StillPicture,
  {
    /**
     * Writes a JPEG of the given size into `directory` and returns its path. If a given or attached image cannot be
     * decoded, this is logged and the next choice is used: the audio is what matters.
     */
    make(
      options: PictureSize & {
        readonly source: string
        readonly info: MediaInfo
        readonly picture?: string | undefined
        readonly directory: string
      }
    ): Effect.Effect<string, FfmpegFailed | ToolMissing | PlatformError.PlatformError>
  }
>()("@kinora/media/images/StillPicture") {
  static readonly layer = Layer.effect(
    StillPicture,
    Effect.gen(function* () {
      const frames = yield* Frames
      const pictures = yield* Pictures

      const make = Effect.fn("StillPicture.make")(function* (options: Parameters<StillPicture["Service"]["make"]>[0]) {
        const { directory, height, info, picture, source, width } = options
        const path = `${directory}/still.jpg`
        const target = { path, width, height }
        const tried = <E extends { readonly message: string }>(write: Effect.Effect<unknown, E>) =>
          write.pipe(
            Effect.as(true),
            Effect.catch((error) =>
              Effect.as(Effect.logWarning("A frame was skipped as thumbnail", error.message), false)
            )
          )
        if (picture !== undefined && (yield* tried(pictures.write(picture, [target], "contain")))) return path
        const [cover] = info.pictures
        if (cover !== undefined) {
          const file = `${directory}/cover.png`
          const attached = frames
            .attached(source, cover.stream, file)
            .pipe(Effect.andThen(pictures.write(file, [target], "contain")))
          if (yield* tried(attached)) return path
        }
        yield* Effect.orDie(pictures.plain(target))
        return path
      })

      return StillPicture.of({ make })
    })
  )
}
