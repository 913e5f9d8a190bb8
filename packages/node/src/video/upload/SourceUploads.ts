import type { InvalidParameters, RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import {
  type MaxFileSizeReached,
  type QuotaReached,
  type UnreadableMedia,
  type UnsupportedMediaFile,
  type UploadBeingFinished,
  type UploadConflict,
  UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import { VideoAlreadyBeingTranscoded, VideoNotFound, VideoStateConflict } from "@kinora/domain/errors/VideoErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import type { UploadSession } from "@kinora/storage/video/upload/UploadSession"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { SourceReplacement } from "@kinora/storage/video/write/SourceReplacement"
import type { Standing } from "@kinora/storage/video/work/VideoWork"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { VideoActs } from "../list/VideoActs.ts"
import { publishJob } from "../process/ProcessingJobs.ts"
import { Admission } from "./Admission.ts"
import { ArrivedFiles, hopeless } from "./ArrivedFiles.ts"
import { type Chunk, type ChunksRefused, ResumableSessions, type UploadProgress } from "./ResumableSessions.ts"
import { UploadDisk } from "../staging/UploadDisk.ts"
import type { Announced } from "./UploadFields.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

type Unfit = VideoNotFound | VideoAlreadyBeingTranscoded | VideoStateConflict

type FinishRefused =
  | Unfit
  | UnreadableMedia
  | UnsupportedMediaFile
  | UploadNotFound
  | QuotaReached
  | RateLimited
  | InsufficientStorage
  | ServiceUnavailable
  | DatabaseUnavailable

/** Why the source of a video that stands so cannot be replaced. */
const unfit = (standing: Exclude<Standing, "free">): Unfit => {
  switch (standing) {
    case "missing":
      return new VideoNotFound()
    case "working":
      return new VideoAlreadyBeingTranscoded()
    case "live":
      return new VideoStateConflict({ reason: "A live video has no source that can be replaced" })
    case "unready":
      return new VideoStateConflict({ reason: "The source of a video can be replaced once it is published" })
  }
}

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const admission = yield* Admission
  const channels = yield* UploadChannels
  const sessions = yield* UploadSessions
  const disk = yield* UploadDisk
  const files = yield* ArrivedFiles
  const line = yield* ResumableSessions
  const replacement = yield* SourceReplacement
  const acts = yield* VideoActs
  const lifetime = Duration.toSeconds(settings.expiration)

  /** Whose quota it takes: of who owns the channel of the video at this moment. */
  const payerOf = Effect.fnUntraced(function* (video: VideoFacts) {
    const channel = yield* channels.find(video.channelId)
    return Option.isNone(channel) ? yield* new VideoNotFound() : channel.value
  })

  const fitting = Effect.fnUntraced(function* (videoId: number) {
    const standing = yield* replacement.standing(videoId)
    if (standing !== "free") return yield* unfit(standing)
  })

  const create = Effect.fn("SourceUploads.create")(function* (
    user: CurrentUserShape,
    video: VideoFacts,
    filename: string,
    announced: Announced,
    id: string
  ) {
    yield* fitting(video.id)
    yield* admission.type(filename, announced.contentType)
    yield* admission.size(announced.size)
    const payer = yield* payerOf(video)
    const session = {
      id,
      userId: user.id,
      payerId: payer.userId,
      videoId: video.id,
      filename,
      contentType: announced.contentType,
      size: announced.size,
      metadata: null,
      lifetimeSeconds: lifetime
    }
    yield* sessions
      .open(session, yield* admission.limits(payer))
      .pipe(Effect.catchTag("UploaderGone", () => Effect.fail(new VideoNotFound())))
  })

  const finish = Effect.fn("SourceUploads.finish")(
    function* (user: CurrentUserShape, video: VideoFacts, { filename, id, size }: UploadSession) {
      yield* fitting(video.id)
      const { source } = yield* files.examine(id, filename)
      // Looked at anew: what was to be given back may be gone, or the channel somebody else's.
      const payer = yield* payerOf(video)
      yield* sessions
        .grow({ id, userId: user.id, payerId: payer.userId, size, videoId: video.id }, yield* admission.limits(payer))
        .pipe(Effect.catchTag("UploaderGone", () => Effect.fail(new VideoNotFound())))
      const replacing = replacement.replaceBy({
        uploadId: id,
        videoId: video.id,
        accountId: user.accountId,
        source,
        job: publishJob({ videoId: video.id, uploadId: null }),
        replaySeconds: Duration.toSeconds(settings.replay)
      })
      const acting = acts
        .change(
          { user, video },
          { action: "replace-source" }
        )(replacing)
        .pipe(
          Effect.catchTags({
            UploadGone: () => Effect.fail(new UploadNotFound()),
            SourceRefused: ({ standing }) => Effect.fail(unfit(standing))
          })
        )
      return yield* files.using(id, source, acting)
    },
    (work, _user, _video, { id }) =>
      Effect.tapError(work, (error) =>
        hopeless.has(error._tag) ? Effect.andThen(sessions.remove(id), disk.remove(id)) : Effect.void
      ),
    // A client that leaves now does not take the new source along.
    Effect.uninterruptible
  )

  const purpose = (user: CurrentUserShape, video: VideoFacts) => ({
    kind: "replace" as const,
    videoId: video.id,
    unknown: new UploadNotFound(),
    finish: (session: UploadSession) => finish(user, video, session)
  })

  return SourceUploads.of({
    create,
    put: (user, video, id, chunk) => line.put(user, id, chunk, purpose(user, video)),
    cancel: (user, video, id) => line.cancel(user, id, purpose(user, video))
  })
})

/** Resumable uploads that take the place of a video's source. Who may do it is decided before. */
export class SourceUploads extends Context.Service<
  SourceUploads,
  {
    /**
     * Checks all that can be checked before the bytes, and reserves room for them: the file has to fit into the quotas of the
     * channel's owner with the source that is kept taken away.
     */
    readonly create: (
      user: CurrentUserShape,
      video: VideoFacts,
      filename: string,
      announced: Announced,
      id: string
    ) => Effect.Effect<
      void,
      | Unfit
      | InvalidParameters
      | UnsupportedMediaFile
      | MaxFileSizeReached
      | QuotaReached
      | RateLimited
      | InsufficientStorage
      | DatabaseUnavailable
    >
    /** Takes the next chunk; with the last one the source is replaced and the first job queued. */
    readonly put: <E>(
      user: CurrentUserShape,
      video: VideoFacts,
      id: string,
      chunk: Chunk<E>
    ) => Effect.Effect<UploadProgress, E | ChunksRefused | FinishRefused>
    readonly cancel: (
      user: CurrentUserShape,
      video: VideoFacts,
      id: string
    ) => Effect.Effect<void, UploadNotFound | UploadConflict | UploadBeingFinished | DatabaseUnavailable>
  }
>()("@kinora/node/source/SourceUploads") {
  static readonly layer = Layer.effect(SourceUploads, make)
}
