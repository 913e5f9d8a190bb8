import type { InvalidParameters, RateLimited, RequestTimeout } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import {
  ChunkRefused,
  type MaxFileSizeReached,
  type QuotaReached,
  type UnreadableMedia,
  type UnsupportedMediaFile,
  type UploadBeingFinished,
  UploadConflict,
  UploadForbidden,
  UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import type { ContentRange } from "@kinora/domain/requests/ContentRange"
import { type ResumableUpload, VideoUpload } from "@kinora/domain/requests/VideoUpload"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UploadResult, UploadSession } from "@kinora/storage/uploads/UploadSession"
import { UploadSessions } from "@kinora/storage/uploads/UploadSessions"
import { Context, Duration, Effect, Layer, Option, Schema, type Stream } from "effect"
import { Admission, unknownChannel } from "./Admission.ts"
import { FinishUpload } from "./FinishUpload.ts"
import { acknowledging, receiveBytes } from "./ReceiveBytes.ts"
import { timedBody } from "./TimedBody.ts"
import { isUploadId, UploadDisk } from "./UploadDisk.ts"
import type { Announced } from "./UploadFields.ts"
import { openUploadFile } from "./UploadFile.ts"
import { type Hold, UploadLine } from "./UploadLine.ts"
import { newUploadId } from "./UploadNames.ts"
import { type PictureField, UploadPictures, WaitingPicture } from "./UploadPictures.ts"
import { UploadSettings } from "./UploadSettings.ts"

/** What a session keeps of its creation: the fields as they were decoded, and its pictures. */
const Kept = Schema.Struct({ fields: VideoUpload, pictures: Schema.Array(WaitingPicture) })
const decodeKept = Schema.decodeUnknownEffect(Kept)

/** Where an upload stands after a request: bytes received so far, or the video it became. */
export type UploadProgress =
  | { readonly _tag: "Received"; readonly received: number }
  | { readonly _tag: "Finished"; readonly video: UploadResult }

type CreateRefused =
  | InvalidParameters
  | UnsupportedMediaFile
  | MaxFileSizeReached
  | QuotaReached
  | InsufficientStorage
  | RateLimited
  | DatabaseUnavailable

type PutRefused =
  | UploadForbidden
  | UploadNotFound
  | UploadConflict
  | UploadBeingFinished
  | ChunkRefused
  | RequestTimeout
  | UnreadableMedia
  | UnsupportedMediaFile
  | InvalidParameters
  | QuotaReached
  | RateLimited
  | InsufficientStorage
  | ServiceUnavailable
  | DatabaseUnavailable

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const admission = yield* Admission
  const sessions = yield* UploadSessions
  const disk = yield* UploadDisk
  const line = yield* UploadLine
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
  })

  const own = Effect.fnUntraced(function* (user: CurrentUserShape, id: string) {
    const session = isUploadId(id) ? yield* sessions.find(id) : Option.none<UploadSession>()
    // An unknown upload and one of somebody else look the same.
    if (Option.isNone(session) || session.value.userId !== user.id) return yield* new UploadForbidden()
    return session.value
  })

  /** Bytes that are acknowledged and there: after a crash the smaller of what disk and table say. */
  const reconciled = Effect.fnUntraced(function* (session: UploadSession) {
    const present = yield* disk.size(session.id)
    if (present >= session.received) return session.received
    yield* sessions.acknowledge(session.id, present, lifetime)
    return present
  })

  const finish = Effect.fnUntraced(function* (user: CurrentUserShape, session: UploadSession, hold: Hold) {
    yield* hold.finishing
    const { fields, pictures } = yield* Effect.orDie(decodeKept(session.metadata))
    const video = yield* finisher.finish(user, { id: session.id, filename: session.filename, fields, pictures })
    return { _tag: "Finished", video } satisfies UploadProgress
  })

  const receive = Effect.fn("ResumableUploads.receive")(function* <E>(
    session: UploadSession,
    range: ContentRange & { readonly _tag: "Chunk" },
    body: Stream.Stream<Uint8Array, E>,
    received: number,
    hold: Hold
  ) {
    const file = yield* openUploadFile(disk.path(session.id), received)
    const known = acknowledging(file, settings.checkpointBytes, (bytes) =>
      sessions.acknowledge(session.id, bytes, lifetime)
    )
    const { next } = yield* timedBody(body, settings)
    const limit = range.end + 1 - received
    const { excess } = yield* receiveBytes({ next, file, acknowledging: known, limit, onBytes: hold.sign })
    if (excess) return yield* new ChunkRefused({ reason: "The chunk is longer than its Content-Range says" })
    return file.position
  }, Effect.scoped)

  const put = Effect.fn("ResumableUploads.put")(function* <E>(
    user: CurrentUserShape,
    id: string,
    range: ContentRange,
    length: number | undefined,
    body: Stream.Stream<Uint8Array, E>
  ): Effect.fn.Return<UploadProgress, PutRefused | E> {
    yield* own(user, id)
    return yield* line.hold(id, (hold) =>
      Effect.gen(function* () {
        const session = yield* own(user, id)
        if (range.total !== null && range.total !== session.size) {
          return yield* new UploadConflict({
            reason: "The file has another size than announced",
            received: session.received
          })
        }
        if (session.result !== null) return { _tag: "Finished", video: session.result } satisfies UploadProgress
        const received = yield* reconciled(session)
        if (received === session.size) return yield* finish(user, session, hold)
        if (range._tag === "Status") return { _tag: "Received", received } satisfies UploadProgress
        if (range.start !== received) {
          return yield* new UploadConflict({ reason: `The next byte is ${received}, not ${range.start}`, received })
        }
        if (length !== undefined && length !== range.end - range.start + 1) {
          return yield* new ChunkRefused({ reason: "Content-Length contradicts Content-Range" })
        }
        const reached = yield* receive(session, range, body, received, hold)
        if (reached === session.size) return yield* finish(user, session, hold)
        return { _tag: "Received", received: reached } satisfies UploadProgress
      })
    )
  })

  const cancel = Effect.fn("ResumableUploads.cancel")(function* (user: CurrentUserShape, id: string) {
    yield* own(user, id)
    yield* line.hold(id, () =>
      Effect.gen(function* () {
        if (!(yield* sessions.remove(id))) return yield* new UploadNotFound()
        yield* disk.remove(id)
      })
    )
  })

  return ResumableUploads.of({ create, put, cancel, newId: Effect.sync(newUploadId) })
})

/** Uploads in chunks that survive lost connections, crashes of the client and restarts of the server. */
export class ResumableUploads extends Context.Service<
  ResumableUploads,
  {
    /** An id for an upload that is about to be created. */
    readonly newId: Effect.Effect<string>
    /** Checks all that can be checked before the bytes, and reserves room for them. `files`: pictures that were sent. */
    readonly create: (
      user: CurrentUserShape,
      fields: ResumableUpload,
      announced: Announced,
      id: string,
      files: ReadonlyMap<PictureField, string>
    ) => Effect.Effect<void, CreateRefused>
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
