import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { UnreadableMedia, type UnsupportedMediaFile, UploadNotFound } from "@kinora/domain/errors/UploadErrors"
import type { ToolMissing, ToolNotStarted } from "@kinora/media/errors/MediaErrors"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import type { NewSource } from "@kinora/storage/video/write/NewVideo"
import { Context, Effect, Layer, Result } from "effect"
import { SourceFiles } from "../process/SourceFiles.ts"
import { refusedSource, sourceExtension, sourceFacts } from "./SourceFacts.ts"
import { UploadDisk } from "../staging/UploadDisk.ts"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

type Refused = UnreadableMedia | UnsupportedMediaFile | UploadNotFound | ServiceUnavailable

/** A file that has arrived whole and is one this instance takes. */
export interface ExaminedFile {
  readonly info: MediaInfo
  readonly source: NewSource
}

/** Failures after which the same bytes can never become a source. */
export const hopeless: ReadonlySet<string> = new Set(["UnreadableMedia", "UnsupportedMediaFile"])

/** Uploaded files on their way to being the source of a video. */
export class ArrivedFiles extends Context.Service<
  ArrivedFiles,
  {
    /** Looks into the file of an upload. `filename` is the client's name for it. */
    readonly examine: (uploadId: string, filename: string) => Effect.Effect<ExaminedFile, Refused>
    /** Moves it to where its video expects it, once that knows. Should this fail, the first job does it. */
    readonly adopt: (uploadId: string, source: NewSource) => Effect.Effect<void>
  }
>()("@kinora/node/uploads/ArrivedFiles") {
  static readonly layer = Layer.effect(
    ArrivedFiles,
    Effect.gen(function* () {
      const settings = yield* UploadSettings
      const disk = yield* UploadDisk
      const sources = yield* SourceFiles
      const probe = yield* Probe

      /** The machine is at fault: the upload stays, and the client may ask again. */
      const unable = (cause: ToolMissing | ToolNotStarted, retryAfterSeconds: number) =>
        Effect.andThen(
          Effect.logError("An uploaded file cannot be probed", cause),
          Effect.fail(new ServiceUnavailable({ reason: "Uploads are not accepted at the moment", retryAfterSeconds }))
        )

      const look = (uploadId: string) =>
        probe.probe(disk.path(uploadId)).pipe(
          Effect.catchTags({
            ProbeFailed: ({ detail, reason }) =>
              reason === "missing"
                ? Effect.fail(new UploadNotFound())
                : Effect.fail(new UnreadableMedia({ reason: detail })),
            UnsupportedMedia: ({ detail }) => Effect.fail(new UnreadableMedia({ reason: detail })),
            ToolMissing: (missing) => unable(missing, 60),
            ToolNotStarted: (notStarted) => unable(notStarted, 10)
          })
        )

      const examine = Effect.fn("ArrivedFiles.examine")(function* (uploadId: string, inputFilename: string) {
        const info = yield* look(uploadId)
        const refused = refusedSource(info, settings)
        if (refused !== undefined) return yield* refused
        const filename = `${uuidOf(uploadId, "source")}${sourceExtension(info)}`
        return { info, source: { ...sourceFacts(info), inputFilename, filename } }
      })

      const adopt = Effect.fn("ArrivedFiles.adopt")(function* (uploadId: string, source: NewSource) {
        const adopted = yield* Effect.result(sources.adopt(uploadId, source.filename))
        if (Result.isFailure(adopted))
          yield* Effect.logWarning("An uploaded file waits for free disk space", adopted.failure)
        else yield* disk.remove(uploadId)
      })

      return ArrivedFiles.of({ examine, adopt })
    })
  )
}
