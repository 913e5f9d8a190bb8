import {
  LiveNotEnabled,
  LiveNotFound,
  LiveReplayNotAllowed,
  MaxInstanceLivesReached,
  MaxUserLivesReached
} from "@kinora/domain/errors/LiveErrors"
import type { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { VideoChangeRefused } from "@kinora/domain/errors/VideoErrors"
import { hasRight } from "@kinora/domain/enums/UserRight"
import { LiveLatencyMode } from "@kinora/domain/enums/Live"
import { VideoState } from "@kinora/domain/enums/VideoState"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { LiveUpdate } from "@kinora/domain/requests/LiveRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { LiveVideo } from "@kinora/domain/wire/Live"
import type { VideoUploadResponse } from "@kinora/domain/wire/VideoAnswers"
import { LiveCreation } from "@kinora/storage/live/LiveCreation"
import { type LiveRow, LiveRows, type LiveSettings as Settings } from "@kinora/storage/live/LiveRows"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import type { UploadResult } from "@kinora/storage/video/upload/UploadSession"
import { VideoUpdates } from "@kinora/storage/video/write/VideoUpdates"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { randomUUID } from "node:crypto"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import type { BodyRefused } from "../../platform/body/FieldsBody.ts"
import type { Editable } from "../../video/edit/EditableVideos.ts"
import { EditPictures } from "../../video/edit/EditPictures.ts"
import { ScratchFolders } from "../../video/edit/ScratchFolders.ts"
import { worksOn } from "../../video/list/VideoRights.ts"
import { VideoActs } from "../../video/list/VideoActs.ts"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"
import { unknownChannel } from "../../video/upload/Admission.ts"
import { announcedVideo } from "../../video/upload/NewVideoFields.ts"
import { LiveSettings, type LiveSettingsShape } from "../settings/LiveSettings.ts"
import { type AskedLive, readLive } from "./LiveBody.ts"
import { LiveKeys } from "../key/LiveKeys.ts"

/** An address that programs take as it is: SRT has no place for a key of its own. */
const srtAddress = ({ passphrase, publicUrl }: LiveSettingsShape["srt"], streamKey: string): string =>
  `${publicUrl}?streamid=${streamKey}${passphrase === undefined ? "" : `&passphrase=${Redacted.value(passphrase)}`}`

/** Why no live is made. */
export type AddRefused =
  | LiveNotEnabled
  | LiveReplayNotAllowed
  | MaxInstanceLivesReached
  | MaxUserLivesReached
  | InvalidParameters
  | InsufficientStorage
  | DatabaseUnavailable

type CreateRefused = AddRefused | BodyRefused

type ChangeRefused = LiveNotFound | LiveReplayNotAllowed | VideoChangeRefused | DatabaseUnavailable

const make = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const uploads = yield* UploadSettings
  const channels = yield* UploadChannels
  const creation = yield* LiveCreation
  const rows = yield* LiveRows
  const keys = yield* LiveKeys
  const updates = yield* VideoUpdates
  const pictures = yield* EditPictures
  const folders = yield* ScratchFolders
  const acts = yield* VideoActs

  /** What is asked for, over what there is, within what the instance allows. */
  const permitted = Effect.fnUntraced(function* (asked: LiveUpdate, known: Settings) {
    const saveReplay = asked.saveReplay ?? known.saveReplay
    if (asked.saveReplay === true && !settings.allowReplay) return yield* new LiveReplayNotAllowed()
    const latencyMode = settings.latencyChoice ? (asked.latencyMode ?? known.latencyMode) : LiveLatencyMode.default
    return {
      saveReplay: saveReplay && settings.allowReplay,
      replayPrivacy: asked.replaySettings === undefined ? known.replayPrivacy : (asked.replaySettings?.privacy ?? null),
      permanent: asked.permanentLive ?? known.permanent,
      latencyMode,
      dvrWindow: Math.min(asked.dvrWindow ?? known.dvrWindow, settings.maxWindow)
    } satisfies Settings
  })

  const add = Effect.fn("LiveVideos.add")(function* (user: CurrentUserShape, uuid: string, asked: AskedLive) {
    if (!settings.enabled) return yield* new LiveNotEnabled()
    const { fields } = asked
    const found = yield* channels.find(fields.channelId)
    if (Option.isNone(found) || !mayOnChannel(user, "publish", { ...found.value, isLocal: true })) {
      return yield* unknownChannel(fields.channelId)
    }
    const live = yield* permitted(fields, {
      saveReplay: settings.saveReplay,
      replayPrivacy: null,
      permanent: false,
      latencyMode: LiveLatencyMode.default,
      dvrWindow: 0
    })
    const made = yield* pictures.make(asked.pictures)
    const video = announcedVideo({
      uuid,
      accountId: found.value.accountId,
      uploaderAccountId: user.accountId,
      fields,
      thumbnails: made.map(({ path: _, ...thumbnail }) => thumbnail),
      settings: uploads
    })
    const limits = { instance: settings.maxInstanceLives, user: settings.maxUserLives }
    const work = creation
      .create(video, { ...live, key: yield* keys.make, schedules: fields.schedules ?? [] }, limits)
      .pipe(
        Effect.catchTags({
          ChannelGone: () => Effect.fail(unknownChannel(fields.channelId)),
          TooManyLives: ({ of }) =>
            Effect.fail(of === "instance" ? new MaxInstanceLivesReached() : new MaxUserLivesReached())
        })
      )
    const names = made.map(({ filename }) => filename)
    return yield* made.length === 0 ? work : updates.usingPictures(names, Effect.andThen(pictures.store(made), work))
  })

  const create = Effect.fn("LiveVideos.create")(function* (user: CurrentUserShape, request: HttpServerRequest) {
    if (!settings.enabled) return yield* new LiveNotEnabled()
    const { id, uuid } = yield* add(user, randomUUID(), yield* readLive(request, yield* folders.make))
    return { video: { id, uuid, shortUUID: toShortUuid(uuid) } } satisfies typeof VideoUploadResponse.Type
  }, Effect.scoped)

  const find = Effect.fnUntraced(function* ({ id, remote }: VideoFacts) {
    const found = remote ? Option.none() : yield* rows.find(id)
    return Option.isNone(found) ? yield* new LiveNotFound() : found.value
  })

  const facts = (live: LiveRow): LiveVideo => ({
    saveReplay: live.saveReplay,
    ...(live.replayPrivacy === null ? {} : { replaySettings: { privacy: live.replayPrivacy } }),
    permanentLive: live.permanent,
    latencyMode: live.latencyMode,
    dvrWindow: live.dvrWindow,
    schedules: live.schedules.map((startAt) => ({ startAt }))
  })

  const newKey = Effect.fnUntraced(function* (videoId: number) {
    const key = yield* keys.make
    if (!(yield* rows.setKey(videoId, key))) return yield* new LiveNotFound()
    return key.sealed
  })

  const forPublisher = Effect.fnUntraced(function* (video: VideoFacts, live: LiveRow) {
    // A key that cannot be read any more, because the secret of the instance was replaced, is replaced as well.
    const streamKey = yield* Effect.flatMap(
      keys.open(live.sealedKey),
      Option.match({
        onSome: (key) => Effect.succeed(key),
        onNone: () => Effect.flatMap(newKey(video.id), (sealed) => Effect.map(keys.open(sealed), Option.getOrThrow))
      })
    )
    return {
      rtmpUrl: settings.rtmp.enabled ? settings.rtmp.publicUrl : null,
      rtmpsUrl: settings.rtmps.enabled ? settings.rtmps.publicUrl : null,
      whipUrl: settings.whip.enabled ? settings.whip.publicUrl : null,
      srtUrl: settings.srt.enabled ? srtAddress(settings.srt, streamKey) : null,
      streamKey,
      ...facts(live)
    }
  })

  const change = Effect.fn("LiveVideos.change")(function* (editable: Editable, asked: LiveUpdate) {
    const { video } = editable
    const known = yield* find(video)
    if (video.state !== VideoState.waitingForLive) {
      return yield* new VideoChangeRefused({ reason: "The settings of a live are changed before it begins" })
    }
    const live = yield* permitted(asked, known)
    const schedules = asked.schedules === undefined ? undefined : (asked.schedules ?? [])
    const done = yield* acts.change(editable, { action: "change-live", withoutValues: true })(
      rows.update(video.id, live, schedules)
    )
    if (!done) return yield* new LiveNotFound()
  })

  const renewKey = Effect.fn("LiveVideos.renewKey")(function* (editable: Editable) {
    const { video } = editable
    const live = yield* find(video)
    const sealedKey = yield* acts.change(editable, { action: "renew-stream-key", withoutValues: true })(
      newKey(video.id)
    )
    return yield* forPublisher(video, { ...live, sealedKey })
  })

  return LiveVideos.of({
    create,
    add,
    change,
    renewKey,
    read: Effect.fn("LiveVideos.read")(function* (video: VideoFacts, user: Option.Option<CurrentUserShape>) {
      const live = yield* find(video)
      const mayPublish =
        Option.isSome(user) && (worksOn(video, user.value) || hasRight(user.value.role, "GET_ANY_LIVE"))
      return mayPublish ? yield* forPublisher(video, live) : facts(live)
    })
  })
})

/** Creates lives, and reads and changes how they are published. */
export class LiveVideos extends Context.Service<
  LiveVideos,
  {
    /** Creates a live that waits for its publisher from an HTTP request (contract: addLive). */
    readonly create: (
      user: CurrentUserShape,
      request: HttpServerRequest
    ) => Effect.Effect<typeof VideoUploadResponse.Type, CreateRefused>
    /** The same with a UUID that is given. The pictures are in a folder of the caller. */
    readonly add: (user: CurrentUserShape, uuid: string, asked: AskedLive) => Effect.Effect<UploadResult, AddRefused>
    /** What everybody who sees the live may know; the addresses and the key for who may publish it. */
    readonly read: (
      video: VideoFacts,
      user: Option.Option<CurrentUserShape>
    ) => Effect.Effect<LiveVideo, LiveNotFound | DatabaseUnavailable>
    readonly change: (editable: Editable, asked: LiveUpdate) => Effect.Effect<void, ChangeRefused>
    /** Replaces the key. Whoever publishes with the old one goes on until the connection ends. */
    readonly renewKey: (editable: Editable) => Effect.Effect<LiveVideo, LiveNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/live/video/LiveVideos") {
  static readonly layer = Layer.effect(LiveVideos, make)
}
