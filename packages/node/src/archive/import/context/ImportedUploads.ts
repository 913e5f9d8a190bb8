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

/** A file of an archive that is to become a video. */
export interface ImportedUpload {
  /** Follows from the video: asked for again it becomes the same video. */
  readonly uploadId: string
  /** Names in the archive. */
  readonly file: string
  readonly thumbnail: string | undefined
  /** What the file was called once, if that is a name. */
  readonly inputFilename: unknown
  /** As a client would say it that uploads the file. */
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

/** Long enough to unpack what a disk takes. */
const lifetimeSeconds = Duration.toSeconds(Duration.hours(24))

const make = Effect.gen(function* () {
  const admission = yield* Admission
  const sessions = yield* UploadSessions
  const disk = yield* UploadDisk
  const pictures = yield* UploadPictures
  const finisher = yield* FinishUpload

  /** The file of an upload that has become a video stays: it may still have to be moved to where the video expects it. */
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
      // A picture is nice to have: without it there is one from the video.
      Effect.catchTags({ ArchiveRefused: () => Effect.succeed([]), InvalidParameters: () => Effect.succeed([]) })
    )
  })

  const bring = Effect.fn("ImportedUploads.bring")(function* (
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
    // What is left of an attempt before.
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
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.ignore(forget(uploadId), { log: "Warn" })))
    )
  })

  return ImportedUploads.of({ bring })
})

/** Makes videos of files in archives, by the way of uploads: the same rights, quotas, checks and processing. */
export class ImportedUploads extends Context.Service<
  ImportedUploads,
  {
    readonly bring: (context: ImportContext, upload: ImportedUpload) => Effect.Effect<UploadResult, Refused>
  }
>()("@kinora/node/userimports/ImportedUploads") {
  static readonly layer = Layer.effect(ImportedUploads, make)
}
