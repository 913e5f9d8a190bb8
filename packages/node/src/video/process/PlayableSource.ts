import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { browserPlayable } from "@kinora/media/playable/BrowserPlayable"
import { Remux } from "@kinora/media/remux/Remux"
import type { Encoded } from "@kinora/media/transcode/Encoded"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Context, Effect, Layer } from "effect"
import { type ProcessingFailed, toolFailed } from "./Outcome.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"

interface Source {
  /** Absolute path. */
  readonly source: string
  readonly info: MediaInfo
  /** Where the files go. */
  readonly folder: string
  /** Part of the name of every file. */
  readonly token: string
}

/** The source of a video in a form that browsers can play now, without an encode. */
export class PlayableSource extends Context.Service<
  PlayableSource,
  {
    /** Undefined if that needs the ladder. */
    readonly make: (source: Source) => Effect.Effect<Encoded | undefined, ProcessingFailed>
  }
>()("@kinora/node/processing/PlayableSource") {
  static readonly layer = Layer.effect(
    PlayableSource,
    Effect.gen(function* () {
      const settings = yield* ProcessingSettings
      const remux = yield* Remux
      return PlayableSource.of({
        make: Effect.fn("PlayableSource.make")(function* ({ folder, info, source, token }) {
          if (settings.transcoding && !browserPlayable(info).playable) return undefined
          const options = {
            source,
            info,
            directory: folder,
            names: fileNames(token),
            hls: settings.transcoding && settings.hls,
            webVideo: settings.webVideos || !settings.transcoding,
            splitAudio: settings.splitAudio
          }
          if (!settings.transcoding) return yield* Effect.mapError(remux.asItIs(options), toolFailed(2))
          return yield* Effect.catch(remux.remux(options), (error): Effect.Effect<Encoded | undefined> =>
            Effect.as(
              Effect.logWarning("The source cannot be published as it is. The video waits for its renditions.", error),
              undefined
            )
          )
        })
      })
    })
  )
}
