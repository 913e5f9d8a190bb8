import {
  type DatabaseUnavailable,
  type InsufficientStorage,
  ServiceUnavailable
} from "@kinora/domain/errors/ServiceErrors"
import { UnreadableMedia, type UnsupportedMediaFile, UploadNotFound } from "@kinora/domain/errors/UploadErrors"
import type { ToolMissing, ToolNotStarted } from "@kinora/media/errors/MediaErrors"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import type { NewSource } from "@kinora/storage/video/write/NewVideo"
import { sourceObject } from "@kinora/storage/video/write/VideoDetails"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Context, Effect, Layer } from "effect"
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
    /**
     * Stores it where its video expects it, runs the work that makes or changes the video, and then removes what lies of the
     * upload. So any node can do what follows, and if the work fails the upload is still there.
     */
    readonly using: <A, E>(
      uploadId: string,
      source: NewSource,
      work: Effect.Effect<A, E>
    ) => Effect.Effect<A, E | InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/node/uploads/ArrivedFiles") {
  static readonly layer = Layer.effect(
    ArrivedFiles,
    Effect.gen(function* () {
      const settings = yield* UploadSettings
      const disk = yield* UploadDisk
      const sources = yield* SourceFiles
      const publication = yield* VideoPublication
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

      const using = <A, E>(uploadId: string, source: NewSource, work: Effect.Effect<A, E>) =>
        publication
          .using([sourceObject(source.filename)], Effect.andThen(sources.store(uploadId, source.filename), work))
          .pipe(Effect.tap(disk.remove(uploadId)), Effect.withSpan("ArrivedFiles.using"))

      return ArrivedFiles.of({ examine, using })
    })
  )
}
