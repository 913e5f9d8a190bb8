import type { InvalidParameters, RateLimited } from "@kinora/domain/errors/RequestErrors"
import {
  type DatabaseUnavailable,
  type InsufficientStorage,
  ServiceUnavailable
} from "@kinora/domain/errors/ServiceErrors"
import {
  type QuotaReached,
  UnreadableMedia,
  type UnsupportedMediaFile,
  UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import type { VideoUpload } from "@kinora/domain/requests/VideoUpload"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ToolMissing, ToolNotStarted } from "@kinora/media/errors/MediaErrors"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import type { UploadChannel } from "@kinora/storage/uploads/UploadChannels"
import type { UploadResult } from "@kinora/storage/uploads/UploadSession"
import { UploadSessions } from "@kinora/storage/uploads/UploadSessions"
import type { NewSource } from "@kinora/storage/videos/writes/NewVideo"
import { VideoCreation } from "@kinora/storage/videos/writes/VideoCreation"
import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import { publishJob } from "../processing/ProcessingJobs.ts"
import { SourceFiles } from "../processing/SourceFiles.ts"
import { Admission, unknownChannel } from "./Admission.ts"
import { newVideo } from "./NewVideoFields.ts"
import { refusedSource, sourceExtension, sourceFacts } from "./SourceFacts.ts"
import { UploadDisk } from "./UploadDisk.ts"
import { uuidOf } from "./UploadNames.ts"
import { UploadPictures, type WaitingPicture } from "./UploadPictures.ts"
import { UploadSettings } from "./UploadSettings.ts"

/** A file that has arrived whole, with all that was said about it. */
export interface ArrivedUpload {
  readonly id: string
  readonly filename: string
  readonly fields: VideoUpload
  readonly pictures: ReadonlyArray<WaitingPicture>
}

type Refused =
  | UnreadableMedia
  | UnsupportedMediaFile
  | UploadNotFound
  | InvalidParameters
  | QuotaReached
  | RateLimited
  | ServiceUnavailable
  | InsufficientStorage
  | DatabaseUnavailable

/** Failures after which the same bytes cannot become a video. */
const hopeless = new Set<string>(["UnreadableMedia", "UnsupportedMediaFile", "InvalidParameters"])

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const admission = yield* Admission
  const disk = yield* UploadDisk
  const sessions = yield* UploadSessions
  const pictures = yield* UploadPictures
  const creation = yield* VideoCreation
  const sources = yield* SourceFiles
  const probe = yield* Probe

  /** The machine is at fault: the upload stays, and the client may ask again. */
  const unable = (cause: ToolMissing | ToolNotStarted, retryAfterSeconds: number) =>
    Effect.andThen(
      Effect.logError("An upload cannot be looked into", cause),
      Effect.fail(new ServiceUnavailable({ reason: "Videos cannot be taken at the moment", retryAfterSeconds }))
    )

  const examine = Effect.fnUntraced(function* (id: string): Effect.fn.Return<MediaInfo, Refused> {
    const info = yield* probe.probe(disk.path(id)).pipe(
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
    const refused = refusedSource(info, settings)
    return refused === undefined ? info : yield* refused
  })

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
  ): Effect.fn.Return<UploadResult, Refused> {
    const info = yield* examine(upload.id)
    const { channelId } = upload.fields
    const channel = yield* admission.channel(user, channelId)
    yield* charge(upload.id, channel)
    const uuid = uuidOf(upload.id, "video")
    const source: NewSource = {
      ...sourceFacts(info),
      inputFilename: upload.filename,
      filename: `${uuidOf(upload.id, "source")}${sourceExtension(info)}`
    }
    const thumbnails = yield* pictures.store(upload.id, upload.pictures)
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
    const replay = Duration.toSeconds(settings.replay)
    const created = yield* creation
      .fromUpload(upload.id, video, (videoId) => publishJob({ videoId, uploadId: upload.id }), replay)
      .pipe(
        Effect.catchTags({
          UploadGone: () => Effect.fail(new UploadNotFound()),
          ChannelGone: () => Effect.fail(unknownChannel(channelId))
        })
      )
    // Should the process die here or the disk be full, the job moves the file.
    const adopted = yield* Effect.result(sources.adopt(upload.id, source.filename))
    if (Result.isFailure(adopted)) yield* Effect.logWarning("An uploaded file waits for room", adopted.failure)
    else yield* disk.remove(upload.id)
    return created
  })

  const finish = Effect.fn("FinishUpload.finish")(
    function* (user: CurrentUserShape, upload: ArrivedUpload) {
      return yield* create(user, upload).pipe(
        Effect.tapError((error) =>
          hopeless.has(error._tag) ? Effect.andThen(sessions.remove(upload.id), disk.remove(upload.id)) : Effect.void
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
    readonly finish: (user: CurrentUserShape, upload: ArrivedUpload) => Effect.Effect<UploadResult, Refused>
  }
>()("@kinora/node/uploads/FinishUpload") {
  static readonly layer = Layer.effect(FinishUpload, make)
}
