import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { MaxFileSizeReached, QuotaReached, UnsupportedMediaFile } from "@kinora/domain/errors/UploadErrors"
import type { InvalidParameters, RateLimited } from "@kinora/domain/errors/RequestErrors"
import { constraints } from "@kinora/domain/enums/Constraints"
import { videoFields } from "@kinora/domain/requests/VideoFields"
import type { UploadResult } from "@kinora/storage/video/upload/UploadSession"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { Context, Duration, Effect, Exit, Layer } from "effect"
import { posix } from "node:path"
import { Admission, unknownChannel } from "../../../video/upload/Admission.ts"
import { type FinishRefused, FinishUpload } from "../../../video/upload/FinishUpload.ts"
import { UploadDisk } from "../../../video/staging/UploadDisk.ts"
import { readVideoUpload } from "../../../video/upload/UploadFields.ts"
import { type PictureField, UploadPictures } from "../../../video/staging/UploadPictures.ts"
import type { ArchiveRefused } from "./ArchiveRefused.ts"
import type { ImportContext } from "./ImportContext.ts"

/** A file of an archive that becomes a video. */
export interface ImportedUpload {
  /** Derived from the video: a repeated import finds the same video. */
  readonly uploadId: string
  /** Names in the archive. */
  readonly file: string
  readonly thumbnail: string | undefined
  /** The original name of the file, if valid. */
  readonly inputFilename: unknown
  /** The fields that a client would send when it uploads the file. */
  readonly request: Readonly<Record<string, unknown>>
}

type Refused =
  | ArchiveRefused
  | InvalidParameters
  | UnsupportedMediaFile
  | MaxFileSizeReached
  | QuotaReached
  | InsufficientStorage
  | RateLimited
  | DatabaseUnavailable
  | FinishRefused

/** Long enough to unpack a file that fills a disk. */
const lifetimeSeconds = Duration.toSeconds(Duration.hours(24))

const make = Effect.gen(function* () {
  const admission = yield* Admission
  const sessions = yield* UploadSessions
  const disk = yield* UploadDisk
  const pictures = yield* UploadPictures
  const finisher = yield* FinishUpload

  /** Keeps the file of an upload that became a video: it may still have to be moved to its final place. */
  const forget = (uploadId: string) =>
    Effect.flatMap(sessions.remove(uploadId), (isGone) => (isGone ? disk.remove(uploadId) : Effect.void))

  const thumbnailOf = Effect.fnUntraced(function* (
    { archive }: ImportContext,
    { thumbnail, uploadId }: ImportedUpload
  ) {
    if (thumbnail === undefined || archive.size(thumbnail) === undefined) return []
    const path = disk.besides(uploadId, "thumbnailfile")
    return yield* archive.extract(thumbnail, path, constraints.video.image.maxBytes).pipe(
      Effect.andThen(pictures.prepare(uploadId, new Map<PictureField, string>([["thumbnailfile", path]]))),
      // A thumbnail is optional: without one, a frame of the video is used.
      Effect.catchTags({ ArchiveRefused: () => Effect.succeed([]), InvalidParameters: () => Effect.succeed([]) })
    )
  })

  const upload = Effect.fn("ImportedUploads.upload")(function* (
    context: ImportContext,
    upload: ImportedUpload
  ): Effect.fn.Return<UploadResult, Refused> {
    const { archive, user } = context
    const { file, uploadId } = upload
    const fields = yield* readVideoUpload(upload.request)
    const channel = yield* admission.channel(user, fields.channelId)
    const size = archive.size(file) ?? 0
    const filename = videoFields.filename.parse(upload.inputFilename) ?? posix.basename(file)
    yield* admission.type(posix.basename(file), "")
    yield* admission.size(size)
    // Removes what an earlier attempt left.
    yield* forget(uploadId)
    const session = {
      id: uploadId,
      userId: user.id,
      payerId: channel.userId,
      filename,
      contentType: "",
      size: Math.max(1, size)
    }
    yield* sessions
      .open({ ...session, metadata: null, lifetimeSeconds }, yield* admission.limits(channel))
      .pipe(Effect.catchTag("UploaderGone", () => Effect.fail(unknownChannel(channel.id))))
    return yield* Effect.gen(function* () {
      yield* archive.extract(file, disk.path(uploadId), size)
      yield* sessions.acknowledge(uploadId, size, lifetimeSeconds)
      const made = yield* thumbnailOf(context, upload)
      return yield* finisher.finish(user, { id: uploadId, filename, fields, pictures: made })
    }).pipe(
      Effect.onExit((exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.ignore(forget(uploadId), {
              log: "Warn",
              message: "The room of an upload that failed could not be freed; the upload sweeper does"
            })
      )
    )
  })

  return ImportedUploads.of({ upload })
})

/**
 * Makes videos from files in archives, through the upload path: with the same rights, quotas, checks and processing.
 */
export class ImportedUploads extends Context.Service<
  ImportedUploads,
  {
    readonly upload: (context: ImportContext, upload: ImportedUpload) => Effect.Effect<UploadResult, Refused>
  }
>()("@kinora/node/userimports/ImportedUploads") {
  static readonly layer = Layer.effect(ImportedUploads, make)
}
