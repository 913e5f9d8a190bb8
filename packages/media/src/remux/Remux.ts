import { Context, Effect, type FileSystem, Layer, type Path, type PlatformError } from "effect"
import { type FfmpegFailed, type MalformedMp4, type ToolMissing, UnsupportedMedia } from "../errors/MediaErrors.ts"
import { resolutionOf } from "../ladder/Ladder.ts"
import type { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import type { Encoded } from "../transcode/Encoded.ts"
import type { FileNames } from "../transcode/FileNames.ts"
import { packageStreams } from "../transcode/Package.ts"
import { browserPlayable } from "../playable/BrowserPlayable.ts"
import { playsAsItIs, type ServedContainer } from "../playable/PlaysAsItIs.ts"

export interface RemuxOptions {
  /** Absolute path of the upload. */
  readonly source: string
  readonly info: MediaInfo
  /** Existing folder for all files. */
  readonly directory: string
  readonly names: FileNames
  readonly hls: boolean
  readonly webVideo: boolean
  readonly splitAudio: boolean
}

/** Publishes a source that browsers play as it is, by stream copy: one rendition at its own resolution. */
export class Remux extends Context.Service<
  Remux,
  {
    /**
     * The same for every source that browsers play as one file, whatever the codec: one web video in a suitable
     * container. Fails with `UnsupportedMedia` (`codec`) if `playsAsItIs` says no.
     */
    asItIs(
      options: RemuxOptions
    ): Effect.Effect<
      Encoded,
      FfmpegFailed | ToolMissing | UnsupportedMedia | MalformedMp4 | PlatformError.PlatformError
    >
    /** Fails with `UnsupportedMedia` (`codec`) if `browserPlayable` says no. */
    remux(
      options: RemuxOptions
    ): Effect.Effect<
      Encoded,
      FfmpegFailed | ToolMissing | UnsupportedMedia | MalformedMp4 | PlatformError.PlatformError
    >
  }
>()("@kinora/media/remux/Remux") {
  static readonly layer = Layer.effect(
    Remux,
    Effect.gen(function* () {
      const context = yield* Effect.context<FfmpegProcess | FileSystem.FileSystem | Path.Path>()
      const settings = yield* MediaSettings

      const mustTranscode = (reason: string) =>
        new UnsupportedMedia({ reason: "codec", detail: `The file must be transcoded: ${reason}.` })

      const copied = Effect.fnUntraced(function* (options: RemuxOptions, webContainer: ServedContainer) {
        const { info, source } = options
        const { video } = info
        if (video === undefined) return yield* mustTranscode("there is no video")
        const [audio] = info.audio
        const { height, width } = video
        return yield* packageStreams({
          ...options,
          webContainer,
          background: false,
          kind: "upload",
          renditions: [
            {
              resolution: resolutionOf(info),
              width,
              height,
              fps: video.fps,
              video: { path: source, stream: video.stream }
            }
          ],
          audio: audio === undefined ? undefined : { path: source, stream: audio.stream },
          duration: info.duration
        }).pipe(Effect.provideContext(context), Effect.provideService(MediaSettings, settings))
      })

      const remux = Effect.fn("Remux.remux")(function* (options: RemuxOptions) {
        const verdict = browserPlayable(options.info)
        return verdict.playable ? yield* copied(options, "mp4") : yield* mustTranscode(verdict.reason)
      })

      const asItIs = Effect.fn("Remux.asItIs")(function* (options: RemuxOptions) {
        const verdict = playsAsItIs(options.info)
        return verdict.playable
          ? yield* copied({ ...options, hls: false, webVideo: true }, verdict.container)
          : yield* mustTranscode(verdict.reason)
      })

      return Remux.of({ asItIs, remux })
    })
  )
}
