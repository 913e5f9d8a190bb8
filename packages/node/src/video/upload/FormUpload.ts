import { InvalidToken } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { BadRequest, PayloadTooLarge, RateLimited, RequestTimeout } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type {
  MaxFileSizeReached,
  QuotaReached,
  UnreadableMedia,
  UnsupportedMediaFile,
  UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import { videoFields } from "@kinora/domain/requests/VideoFields"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UploadResult } from "@kinora/storage/video/upload/UploadSession"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { Context, Duration, Effect, Exit, Layer, Scope, type Stream } from "effect"
import type { PartInfo } from "effect/http/MultipartParser"
import { normaliseFields } from "../../platform/http/FormFields.ts"
import { Admission } from "./Admission.ts"
import { FinishUpload } from "./FinishUpload.ts"
import { type FileSink, readMultipart } from "../../platform/body/MultipartBody.ts"
import { isPictureField, pictureSink } from "../staging/PictureSink.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import { acknowledging } from "./ReceiveBytes.ts"
import { timedBody } from "../../platform/body/TimedBody.ts"
import { UploadDisk } from "../staging/UploadDisk.ts"
import { readVideoUpload } from "./UploadFields.ts"
import { openUploadFile } from "../../platform/body/UploadFile.ts"
import { newUploadId } from "../../platform/ids/DerivedIds.ts"
import { type PictureField, UploadPictures } from "../staging/UploadPictures.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

type Refused =
  | InvalidToken
  | InvalidParameters
  | BadRequest
  | PayloadTooLarge
  | RequestTimeout
  | RateLimited
  | UnsupportedMediaFile
  | UnreadableMedia
  | UploadNotFound
  | MaxFileSizeReached
  | QuotaReached
  | InsufficientStorage
  | ServiceUnavailable
  | DatabaseUnavailable

/** What fields and boundaries of a form take beside the file, at most; pictures not counted. */
const formOverhead = 64 * 1024
/** Room asked for beyond what has arrived while the size of the file is not known: less where so much is not free. */
const growths = [64 * 1024 ** 2, 4 * 1024 ** 2, 256 * 1024, 0]
/**
 * How long a reservation holds that nobody renews. Such an upload cannot go on in another request: when its node dies, its
 * room is free again when the node starts, or after this.
 */
const lease = Duration.minutes(3)
const renewEvery = Duration.minutes(1)

interface Arriving {
  readonly id: string
  /** Name of the video file; undefined until it comes. */
  filename: string | undefined
  bytes: number
  reserved: number
  /** Whether the request says how long it is. */
  readonly isAnnounced: boolean
  readonly pictures: Map<PictureField, string>
}

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const admission = yield* Admission
  const sessions = yield* UploadSessions
  const disk = yield* UploadDisk
  const pictures = yield* UploadPictures
  const finisher = yield* FinishUpload
  const lifetime = Duration.toSeconds(lease)

  /** Runs an attempt for the first of some sizes that fits. */
  const firstThatFits = <A, E extends { readonly _tag: string }>(
    [size = 1, ...others]: ReadonlyArray<number>,
    attempt: (size: number) => Effect.Effect<A, E>
  ): Effect.Effect<number, E> =>
    Effect.as(attempt(size), size).pipe(
      Effect.catchIf(
        (error) => others.length > 0 && (error._tag === "QuotaReached" || error._tag === "InsufficientStorage"),
        () => firstThatFits(others, attempt)
      )
    )

  /** Reserves room for what has arrived and, where nobody said how much comes, for more. */
  const reserve = Effect.fnUntraced(function* (user: CurrentUserShape, arriving: Arriving, isWhole: boolean) {
    const limits = yield* admission.limits(user)
    const more = isWhole || arriving.isAnnounced ? [0] : growths
    arriving.reserved = yield* firstThatFits(
      more.map((growth) => arriving.bytes + growth),
      (size) =>
        sessions
          .grow({ id: arriving.id, userId: user.id, payerId: user.id, size }, limits)
          .pipe(Effect.catchTag("UploaderGone", () => Effect.fail(new InvalidToken())))
    )
  })

  const videoSink = Effect.fnUntraced(function* (
    user: CurrentUserShape,
    arriving: Arriving,
    info: PartInfo
  ): Effect.fn.Return<FileSink<Refused>, Refused, Scope.Scope> {
    const filename = videoFields.filename.parse(info.filename ?? "")
    if (filename === undefined) {
      return yield* InvalidParameters.one("videofile", videoFields.filename.message, "body")
    }
    yield* admission.type(filename, info.contentType)
    arriving.filename = filename
    const file = yield* openUploadFile(disk.path(arriving.id), 0)
    const known = acknowledging(file, settings.checkpointBytes, (bytes) =>
      sessions.acknowledge(arriving.id, bytes, lifetime)
    )
    return {
      write: Effect.fnUntraced(function* (chunk: Uint8Array) {
        arriving.bytes += chunk.length
        yield* admission.size(arriving.bytes)
        if (arriving.bytes > arriving.reserved) yield* reserve(user, arriving, false)
        yield* file.write(chunk)
        yield* known.checkpoint
      }),
      end: Effect.gen(function* () {
        if (arriving.bytes === 0) return yield* InvalidParameters.one("videofile", "Should not be empty", "body")
        yield* known.settle
        yield* reserve(user, arriving, true)
      })
    }
  })

  const sinkFor = Effect.fnUntraced(function* (user: CurrentUserShape, arriving: Arriving, info: PartInfo) {
    if (info.name === "videofile" && arriving.filename === undefined) return yield* videoSink(user, arriving, info)
    if (!isPictureField(info.name) || arriving.pictures.has(info.name)) return ignored
    const path = disk.besides(arriving.id, info.name)
    arriving.pictures.set(info.name, path)
    return yield* pictureSink(info.name, path)
  })

  const arrive = Effect.fn("FormUpload.arrive")(function* <E>(
    user: CurrentUserShape,
    arriving: Arriving,
    headers: Record<string, string>,
    body: Stream.Stream<Uint8Array, E>
  ) {
    const scope = yield* Effect.scope
    const { next } = yield* timedBody(body, settings)
    return yield* readMultipart<E | RequestTimeout, Refused>({
      headers,
      next,
      onBytes: Effect.void,
      onFile: (info) => Scope.provide(sinkFor(user, arriving, info), scope)
    })
  }, Effect.scoped)

  const receive = Effect.fn("FormUpload.receive")(function* <E>(
    user: CurrentUserShape,
    headers: Record<string, string>,
    length: number | undefined,
    body: Stream.Stream<Uint8Array, E>
  ): Effect.fn.Return<UploadResult, Refused | E> {
    const announced = length === undefined ? [...growths.slice(0, -1), 1] : [Math.max(1, length - formOverhead)]
    if (length !== undefined) yield* admission.size(announced[0]!)
    const limits = yield* admission.limits(user)
    const arriving: Arriving = {
      id: newUploadId(),
      filename: undefined,
      bytes: 0,
      reserved: 0,
      isAnnounced: length !== undefined,
      pictures: new Map()
    }
    const session = {
      id: arriving.id,
      userId: user.id,
      payerId: user.id,
      filename: "",
      contentType: "",
      metadata: { holder: settings.holder },
      lifetimeSeconds: lifetime
    }
    arriving.reserved = yield* firstThatFits(announced, (size) =>
      sessions
        .open({ ...session, size }, limits)
        .pipe(Effect.catchTag("UploaderGone", () => Effect.fail(new InvalidToken())))
    )
    const renewed = Effect.ignore(sessions.renew(arriving.id, lifetime), {
      log: "Warn",
      message: "The room for an upload could not be held longer"
    }).pipe(Effect.delay(renewEvery), Effect.forever)
    return yield* Effect.gen(function* () {
      yield* Effect.forkScoped(renewed)
      const entries = yield* arrive(user, arriving, headers, body)
      const input = normaliseFields(entries, "body")
      if (input instanceof InvalidParameters) return yield* input
      const fields = yield* readVideoUpload(input)
      if (arriving.filename === undefined) {
        return yield* InvalidParameters.one("videofile", "Should have a video file", "body")
      }
      yield* admission.channel(user, fields.channelId)
      const made = yield* pictures.prepare(arriving.id, arriving.pictures)
      return yield* finisher.finish(user, { id: arriving.id, filename: arriving.filename, fields, pictures: made })
    }).pipe(
      Effect.scoped,
      Effect.onExit((exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.andThen(
              disk.remove(arriving.id),
              Effect.ignore(sessions.remove(arriving.id), {
                log: "Warn",
                message: "The room of an upload that failed could not be freed; the upload sweeper does"
              })
            )
      )
    )
  })

  return FormUpload.of({ receive })
})

/** An upload in one request: a form with the file and its fields, in any order. */
export class FormUpload extends Context.Service<
  FormUpload,
  {
    /**
     * Streams the file to disk as it comes and makes a video of it. Whatever goes wrong, nothing stays behind. `length` is
     * the request's Content-Length where it has one.
     */
    readonly receive: <E>(
      user: CurrentUserShape,
      headers: Record<string, string>,
      length: number | undefined,
      body: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<UploadResult, Refused | E>
  }
>()("@kinora/node/uploads/FormUpload") {
  static readonly layer = Layer.effect(FormUpload, make)
}
