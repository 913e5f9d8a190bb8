import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { VideoState } from "@kinora/domain/enums/VideoState"
import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { VideoChangeRefused, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { checkPasswords, decodeVideoUpdate, type VideoUpdate } from "@kinora/domain/requests/VideoUpload"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { type VideoChanges, VideoUpdates } from "@kinora/storage/video/write/VideoUpdates"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { join } from "node:path"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { isPictureField, pictureSink } from "../staging/PictureSink.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import type { PictureField } from "../staging/UploadPictures.ts"
import { VideoActs } from "../list/VideoActs.ts"
import { EditPictures } from "./EditPictures.ts"
import { type BodyRefused, readFields } from "../../platform/body/FieldsBody.ts"
import { FrameCapture } from "./FrameCapture.ts"
import { ScratchFolders } from "./ScratchFolders.ts"

/** Two images, and the maximum for fields and boundaries. */
const maxBytes = 2 * constraints.video.image.maxBytes + 1024 * 1024

/** Its files are where those of its privacy are. */
const liveIsShown = new VideoChangeRefused({
  reason: "The privacy of a live is changed before it begins or after its end"
})

const unknownChannel = (channelId: number) =>
  InvalidParameters.one("channelId", "Unknown channel of the owner of the video", "body", channelId)

/**
 * The changes that the fields of a request make. A video that is no longer sensitive loses its sensitivity flags and
 * summary.
 */
const changesOf = (fields: VideoUpdate): VideoChanges => {
  const { nsfw, nsfwFlags, nsfwSummary, scheduleUpdate, thumbnailTimecode: _, videoPasswords, ...rest } = fields
  const safe = nsfw === false
  return {
    ...rest,
    nsfw,
    nsfwFlags: safe ? 0 : nsfwFlags,
    nsfwSummary: safe ? null : nsfwSummary,
    passwords: videoPasswords,
    schedule:
      scheduleUpdate === undefined || scheduleUpdate === null
        ? scheduleUpdate
        : { updateAt: scheduleUpdate.updateAt, privacy: scheduleUpdate.privacy ?? VideoPrivacy.public }
  }
}

const make = Effect.gen(function* () {
  const channels = yield* ChannelRows
  const folders = yield* ScratchFolders
  const pictures = yield* EditPictures
  const moments = yield* FrameCapture
  const updates = yield* VideoUpdates
  const acts = yield* VideoActs

  const checkChannel = Effect.fnUntraced(function* (user: CurrentUserShape, video: VideoFacts, channelId: number) {
    if (channelId === video.channelId) return
    const channel = yield* channels.byId(channelId)
    const fits =
      Option.isSome(channel) &&
      channel.value.accountId === video.accountId &&
      mayOnChannel(user, "publish", channel.value)
    if (!fits) return yield* unknownChannel(channelId)
  })

  const receive = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const folder = yield* folders.make
    const files = new Map<PictureField, string>()
    const input = yield* readFields<InsufficientStorage | InvalidParameters>(request, {
      maxBytes,
      onFile: Effect.fnUntraced(function* ({ name }) {
        if (!isPictureField(name) || files.has(name)) return ignored
        const path = join(folder, name)
        files.set(name, path)
        return yield* pictureSink(name, path)
      })
    })
    const fields = yield* Effect.mapError(
      decodeVideoUpdate(input),
      ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", input) })
    )
    const together = checkPasswords(fields)
    return together === undefined ? { fields, files, folder } : yield* together
  })

  const update = Effect.fn("VideoEdits.update")(function* (
    user: CurrentUserShape,
    video: VideoFacts,
    request: HttpServerRequest
  ) {
    const { fields, files, folder } = yield* receive(request)
    if (Object.keys(fields).length + files.size === 0) return
    const isShown = video.isLive && video.state === VideoState.published
    if (isShown && fields.privacy !== undefined && fields.privacy !== video.privacy) return yield* liveIsShown
    if (fields.channelId !== undefined) yield* checkChannel(user, video, fields.channelId)
    const { thumbnailTimecode: moment } = fields
    const made =
      moment !== undefined && files.size === 0
        ? yield* moments.make(video.id, moment, folder)
        : yield* pictures.make(files)
    const thumbnails = made.length === 0 ? undefined : made.map(({ path: _, ...thumbnail }) => thumbnail)
    const change = acts
      .change(
        { user, video },
        { action: "update" }
      )(updates.update(video.id, user.accountId, { ...changesOf(fields), thumbnails }))
      .pipe(
        Effect.flatMap((changed) => (changed ? Effect.void : Effect.fail(new VideoNotFound()))),
        Effect.catchTags({
          ChannelRefused: ({ channelId }) => Effect.fail(unknownChannel(channelId)),
          NoPassword: () =>
            Effect.fail(InvalidParameters.one("videoPasswords", "Must have a password for this privacy", "body"))
        })
      )
    if (made.length === 0) return yield* change
    const filenames = made.map(({ filename }) => filename)
    yield* updates.usingPictures(filenames, Effect.andThen(pictures.store(made), change))
  }, Effect.scoped)

  return VideoEdits.of({ update })
})

/** Edits of videos. Permission is checked by the caller. */
export class VideoEdits extends Context.Service<
  VideoEdits,
  {
    /**
     * Reads the fields and images of the request and applies them (contract: putVideo). The video may be moved to
     * another channel of its owner in which the user may publish.
     */
    readonly update: (
      user: CurrentUserShape,
      video: VideoFacts,
      request: HttpServerRequest
    ) => Effect.Effect<
      void,
      BodyRefused | VideoNotFound | VideoChangeRefused | InsufficientStorage | DatabaseUnavailable
    >
  }
>()("@kinora/node/edit/VideoEdits") {
  static readonly layer = Layer.effect(VideoEdits, make)
}
