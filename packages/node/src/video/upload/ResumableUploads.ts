import type { InvalidParameters, RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import {
  type MaxFileSizeReached,
  type QuotaReached,
  type UnsupportedMediaFile,
  type UploadBeingFinished,
  type UploadConflict,
  UploadForbidden,
  type UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import type { ContentRange } from "@kinora/domain/requests/ContentRange"
import { type ResumableUpload, VideoUpload } from "@kinora/domain/requests/VideoUpload"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UploadSession } from "@kinora/storage/video/upload/UploadSession"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { Context, Duration, Effect, Layer, Option, Schema, type Stream } from "effect"
import { Admission, unknownChannel } from "./Admission.ts"
import { type FinishRefused, FinishUpload } from "./FinishUpload.ts"
import { type ChunksRefused, ResumableSessions, type UploadProgress } from "./ResumableSessions.ts"
import type { Announced } from "./UploadFields.ts"
import { newUploadId } from "../../platform/ids/DerivedIds.ts"
import { type PictureField, UploadPictures, WaitingPicture } from "../staging/UploadPictures.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

/** What a session keeps of its creation: the fields as they were decoded, and its pictures. */
const Kept = Schema.Struct({ fields: VideoUpload, pictures: Schema.Array(WaitingPicture) })
const decodeKept = Schema.decodeUnknownEffect(Kept)

type CreateRefused =
  | InvalidParameters
  | UnsupportedMediaFile
  | MaxFileSizeReached
  | QuotaReached
  | InsufficientStorage
  | RateLimited
  | DatabaseUnavailable

type PutRefused = UploadForbidden | ChunksRefused | FinishRefused

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const admission = yield* Admission
  const sessions = yield* UploadSessions
  const line = yield* ResumableSessions
  const pictures = yield* UploadPictures
  const finisher = yield* FinishUpload
  const lifetime = Duration.toSeconds(settings.expiration)

  const create = Effect.fn("ResumableUploads.create")(function* (
    user: CurrentUserShape,
    fields: ResumableUpload,
    announced: Announced,
    id: string,
    files: ReadonlyMap<PictureField, string>
  ) {
    const channel = yield* admission.channel(user, fields.channelId)
    const { contentType, size } = announced
    const same = { userId: user.id, filename: fields.filename, contentType, size, fields }
    const begun = yield* sessions.findSame(same)
    // Pictures that were sent once more go with the request.
    if (Option.isSome(begun)) return begun.value
    yield* admission.type(fields.filename, announced.contentType)
    yield* admission.size(announced.size)
    const metadata = { fields, pictures: yield* pictures.prepare(id, files) }
    const limits = yield* admission.limits(channel)
    const session = {
      id,
      userId: user.id,
      payerId: channel.userId,
      filename: fields.filename,
      contentType: announced.contentType,
      size: announced.size,
      metadata,
      lifetimeSeconds: lifetime
    }
    yield* sessions
      .open(session, limits)
      .pipe(Effect.catchTag("UploaderGone", () => Effect.fail(unknownChannel(channel.id))))
    yield* Effect.onError(pictures.share(id, metadata.pictures), () =>
      Effect.ignore(sessions.remove(id), { log: "Warn", message: "An upload that could not begin expires by itself" })
    )
    return id
  })

  /** An unknown upload and one of somebody else look the same. */
  const purpose = (user: CurrentUserShape) => ({
    kind: "video" as const,
    videoId: null,
    unknown: new UploadForbidden(),
    finish: Effect.fnUntraced(function* (session: UploadSession) {
      const { fields, pictures } = yield* Effect.orDie(decodeKept(session.metadata))
      return yield* finisher.finish(user, { id: session.id, filename: session.filename, fields, pictures })
    })
  })

  const put = <E>(
    user: CurrentUserShape,
    id: string,
    range: ContentRange,
    length: number | undefined,
    body: Stream.Stream<Uint8Array, E>
  ) => line.put(user, id, { range, length, body }, purpose(user))

  const cancel = (user: CurrentUserShape, id: string) => line.cancel(user, id, purpose(user))

  return ResumableUploads.of({ create, put, cancel, newId: Effect.sync(newUploadId) })
})

/** Uploads in chunks that survive lost connections, crashes of the client and restarts of the server. */
export class ResumableUploads extends Context.Service<
  ResumableUploads,
  {
    /** An id for an upload that is about to be created. */
    readonly newId: Effect.Effect<string>
    /**
     * Checks all that can be checked before the bytes, and reserves room for them. `files`: pictures that were sent. Gives the
     * id of the upload: another one when the same upload was begun before, and can go on.
     */
    readonly create: (
      user: CurrentUserShape,
      fields: ResumableUpload,
      announced: Announced,
      id: string,
      files: ReadonlyMap<PictureField, string>
    ) => Effect.Effect<string, CreateRefused>
    /**
     * Takes a chunk that begins where the last one ended; any other is refused and harms nothing. What arrives is
     * acknowledged even when the body ends early. `length` is the request's Content-Length where it has one.
     */
    readonly put: <E>(
      user: CurrentUserShape,
      id: string,
      range: ContentRange,
      length: number | undefined,
      body: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<UploadProgress, PutRefused | E>
    /** Gives an unfinished upload up and removes what arrived. */
    readonly cancel: (
      user: CurrentUserShape,
      id: string
    ) => Effect.Effect<
      void,
      UploadForbidden | UploadNotFound | UploadConflict | UploadBeingFinished | DatabaseUnavailable
    >
  }
>()("@kinora/node/uploads/ResumableUploads") {
  static readonly layer = Layer.effect(ResumableUploads, make)
}
