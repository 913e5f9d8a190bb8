import type { InvalidParameters, RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import {
  type QuotaReached,
  type UnreadableMedia,
  type UnsupportedMediaFile,
  UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import type { VideoUpload } from "@kinora/domain/requests/VideoUpload"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UploadChannel } from "@kinora/storage/video/upload/UploadChannels"
import type { UploadResult } from "@kinora/storage/video/upload/UploadSession"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { VideoCreation } from "@kinora/storage/video/write/VideoCreation"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { publishJob } from "../process/ProcessingJobs.ts"
import { Admission, unknownChannel } from "./Admission.ts"
import { ArrivedFiles, hopeless } from "./ArrivedFiles.ts"
import { FilesAtOnce } from "./FilesAtOnce.ts"
import { newVideo } from "./NewVideoFields.ts"
import { UploadDisk } from "../staging/UploadDisk.ts"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { UploadPictures, type WaitingPicture } from "../staging/UploadPictures.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

/** A file that has arrived whole, with all that was said about it. */
export interface ArrivedUpload {
  readonly id: string
  readonly filename: string
  readonly fields: VideoUpload
  readonly pictures: ReadonlyArray<WaitingPicture>
}

/** What an upload that has arrived may be refused for. */
export type FinishRefused =
  | UnreadableMedia
  | UnsupportedMediaFile
  | UploadNotFound
  | InvalidParameters
  | QuotaReached
  | RateLimited
  | ServiceUnavailable
  | InsufficientStorage
  | DatabaseUnavailable

/** Failures after which the upload cannot become a video. */
const givenUp = new Set<string>([...hopeless, "InvalidParameters"])

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const admission = yield* Admission
  const disk = yield* UploadDisk
  const sessions = yield* UploadSessions
  const pictures = yield* UploadPictures
  const creation = yield* VideoCreation
  const files = yield* ArrivedFiles
  const filesAtOnce = yield* FilesAtOnce

  /** Has the owner of the channel pay: another than at the beginning where the channel was given away meanwhile. */
  const charge = Effect.fnUntraced(function* (id: string, channel: UploadChannel) {
    const session = yield* sessions.find(id)
    if (Option.isNone(session)) return yield* new UploadNotFound()
    const { payerId, size, state, userId } = session.value
    if (state === "done" || payerId === channel.userId) return
    yield* sessions
      .grow({ id, userId, payerId: channel.userId, size }, yield* admission.limits(channel))
      .pipe(Effect.catchTag("UploaderGone", () => Effect.fail(unknownChannel(channel.id))))
  })

  const create = Effect.fnUntraced(function* (
    user: CurrentUserShape,
    upload: ArrivedUpload
  ): Effect.fn.Return<UploadResult, FinishRefused> {
    const { info, source } = yield* files.examine(upload.id, upload.filename)
    const { channelId } = upload.fields
    const channel = yield* admission.channel(user, channelId)
    yield* charge(upload.id, channel)
    const uuid = uuidOf(upload.id, "video")
    const thumbnails = yield* pictures.store(upload.id, upload.pictures)
    const first = yield* filesAtOnce({
      uploadId: upload.id,
      info,
      uuid,
      name: upload.fields.name,
      privacy: upload.fields.privacy ?? settings.defaults.privacy,
      waitTranscoding: upload.fields.waitTranscoding ?? false,
      thumbnailTypes: upload.pictures.map(({ type }) => type)
    })
    const video = newVideo({
      uuid,
      accountId: channel.accountId,
      uploaderAccountId: user.accountId,
      fields: upload.fields,
      info,
      source,
      thumbnails,
      settings
    })
    const creating = creation
      .fromUpload(upload.id, video, {
        job: (videoId) => publishJob({ videoId, uploadId: null, published: Option.isSome(first) }),
        replaySeconds: Duration.toSeconds(settings.replay),
        first: Option.getOrUndefined(first)
      })
      .pipe(
        Effect.catchTags({
          UploadGone: () => Effect.fail(new UploadNotFound()),
          ChannelGone: () => Effect.fail(unknownChannel(channelId))
        })
      )
    return yield* files
      .using(upload.id, source, creating)
      .pipe(Effect.onError(() => Option.match(first, { onNone: () => Effect.void, onSome: ({ abandon }) => abandon })))
  })

  const finish = Effect.fn("FinishUpload.finish")(
    function* (user: CurrentUserShape, upload: ArrivedUpload) {
      return yield* create(user, upload).pipe(
        Effect.tapError((error) =>
          givenUp.has(error._tag) ? Effect.andThen(sessions.remove(upload.id), disk.remove(upload.id)) : Effect.void
        )
      )
    },
    // A client that leaves now does not take its video along.
    Effect.uninterruptible
  )

  return FinishUpload.of({ finish })
})

/** Turns a file that has arrived into a video. Repeating it for the same upload makes no second one. */
export class FinishUpload extends Context.Service<
  FinishUpload,
  {
    /** When the file is refused for what it is, the upload and its files are removed. */
    readonly finish: (user: CurrentUserShape, upload: ArrivedUpload) => Effect.Effect<UploadResult, FinishRefused>
  }
>()("@kinora/node/uploads/FinishUpload") {
  static readonly layer = Layer.effect(FinishUpload, make)
}
