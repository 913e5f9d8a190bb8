import { Conflict } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { IncorrectFilesInTorrent, VideoImportNotFound } from "@kinora/domain/errors/ImportErrors"
import { InvalidParameters, RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import type { ImportCreate } from "@kinora/domain/requests/ImportRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { Json } from "@kinora/domain/wire/Json"
import type { VideoImport } from "@kinora/domain/wire/MyUserAnswers"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { type ImportFacts, ImportRows } from "@kinora/storage/video/import/ImportRows"
import type { AlreadyImported, ImportSource } from "@kinora/storage/video/write/NewImport"
import { type UploadChannel, UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { MyImports } from "@kinora/storage/video/import/MyImports"
import type { NewThumbnail } from "@kinora/storage/video/write/NewVideo"
import { VideoCreation } from "@kinora/storage/video/write/VideoCreation"
import { VideoUpdates } from "@kinora/storage/video/write/VideoUpdates"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { randomUUID } from "node:crypto"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { EditPictures } from "../edit/EditPictures.ts"
import { ScratchFolders } from "../edit/ScratchFolders.ts"
import { unknownChannel } from "../upload/Admission.ts"
import { announcedVideo } from "../upload/NewVideoFields.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"
import { type BodyRefused } from "../../platform/body/FieldsBody.ts"
import { readImport } from "./ImportBody.ts"
import { ImportWakeups } from "./ImportWakeups.ts"
import { makeRoomCheck } from "./ImportRoom.ts"
import { isOwnImport, mayEndImport, mayRetryImport, mayTakeOverImport } from "./ImportRights.ts"
import { ImportSettings, maxAttempts, maxOpenImports } from "./ImportSettings.ts"
import { checkAddress, provisionalName } from "./ImportSource.ts"

/** A video to fetch. The caller has checked that the user may publish in the channel. */
export interface WantedImport {
  /** The user who started it, for the activity log and lists. */
  readonly userId: number
  readonly accountId: number
  readonly channel: UploadChannel
  /** Fields of the new video. Without a name it gets the name from the source. */
  readonly fields: Omit<ImportCreate, "channelId" | "targetUrl" | "magnetUri">
  readonly source: ImportSource
  /** The synchronisation that found the video. */
  readonly channelSyncId?: number | undefined
  /** For synchronisations: refuses a URL that was already imported into the channel. */
  readonly once?: boolean | undefined
}

type Refused =
  | InvalidParameters
  | Forbidden
  | Conflict
  | IncorrectFilesInTorrent
  | QuotaReached
  | InsufficientStorage
  | DatabaseUnavailable

type ChangeRefused = VideoImportNotFound | Forbidden | Conflict | DatabaseUnavailable

const retryAfterSeconds = 60

const make = Effect.gen(function* () {
  const settings = yield* ImportSettings
  const uploads = yield* UploadSettings
  const guard = yield* FetchGuard
  const channels = yield* UploadChannels
  const rows = yield* ImportRows
  const reads = yield* MyImports
  const creation = yield* VideoCreation
  const updates = yield* VideoUpdates
  const pictures = yield* EditPictures
  const folders = yield* ScratchFolders
  const checkRoom = yield* makeRoomCheck
  const wakeups = yield* ImportWakeups
  const audit = yield* AuditTrail

  /** Checks what can be checked about a source without any request. */
  const admit = Effect.fnUntraced(function* (source: ImportSource) {
    if (source._tag === "Url") {
      if (!settings.http) return yield* new Conflict({ reason: "Videos are not imported from addresses here" })
      return yield* checkAddress(guard, source.url)
    }
    if (!settings.torrent) return yield* new Conflict({ reason: "Torrents and magnet links are not imported here" })
    if (source._tag === "Magnet") return
    // The torrent libraries are loaded only for requests with a torrent.
    const [{ readTorrent }, { usableFile }] = yield* Effect.promise(() =>
      Promise.all([import("@kinora/torrent/metainfo/Metainfo"), import("@kinora/torrent/metainfo/UsableFile")])
    )
    const { info } = yield* Effect.mapError(readTorrent(source.file), () =>
      InvalidParameters.one("torrentfile", "Should be a torrent file of BitTorrent 1", "body")
    )
    yield* Effect.mapError(usableFile(info), () => new IncorrectFilesInTorrent())
  })

  const write = Effect.fnUntraced(function* (wanted: WantedImport, thumbnails: ReadonlyArray<NewThumbnail>) {
    const { channel, fields, source } = wanted
    const provisional = fields.name ?? provisionalName(source)
    const video = announcedVideo({
      uuid: randomUUID(),
      accountId: channel.accountId,
      uploaderAccountId: wanted.accountId,
      fields: { ...fields, name: provisional, channelId: channel.id as ImportCreate["channelId"] },
      thumbnails,
      settings: uploads
    })
    const id = yield* creation
      .fromImport(video, {
        userId: wanted.userId,
        source,
        channelSyncId: wanted.channelSyncId ?? null,
        once: wanted.once === true || wanted.channelSyncId !== undefined,
        choices: {
          provisionalName: (fields.name ?? null) === null ? provisional : null,
          nsfwGiven: fields.nsfw !== undefined
        }
      })
      .pipe(Effect.catchTag("ChannelGone", () => Effect.fail(unknownChannel(channel.id))))
    yield* wakeups.notify
    return id
  })

  const wire = Effect.fnUntraced(function* (importId: number) {
    return (yield* reads.one(importId)) ?? (yield* new VideoImportNotFound())
  })

  const create = Effect.fn("VideoImports.create")(function* (wanted: WantedImport) {
    yield* admit(wanted.source)
    yield* checkRoom(wanted.channel)
    return { id: yield* write(wanted, []) }
  })

  const publishable = Effect.fnUntraced(function* (user: CurrentUserShape, channelId: number) {
    const channel = yield* channels.find(channelId)
    if (Option.isNone(channel) || !mayOnChannel(user, "publish", { ...channel.value, isLocal: true })) {
      return yield* unknownChannel(channelId)
    }
    return channel.value
  })

  const receive = Effect.fn("VideoImports.receive")(function* (user: CurrentUserShape, request: HttpServerRequest) {
    const folder = yield* folders.make
    const asked = yield* readImport(request, folder)
    const { channelId, magnetUri: _magnet, targetUrl: _target, ...fields } = asked.fields
    const channel = yield* publishable(user, channelId)
    yield* admit(asked.source)
    yield* checkRoom(channel)
    if ((yield* rows.open(user.id)) >= maxOpenImports) return yield* new RateLimited({ retryAfterSeconds })
    const made = yield* pictures.make(asked.pictures)
    const wanted = { userId: user.id, accountId: user.accountId, channel, fields, source: asked.source }
    const work = write(
      wanted,
      made.map(({ path: _, ...thumbnail }) => thumbnail)
    ).pipe(Effect.catchTag("AlreadyImported", Effect.die))
    if (made.length === 0) return yield* wire(yield* work)
    const names = made.map(({ filename }) => filename)
    return yield* wire(yield* updates.usingPictures(names, Effect.andThen(pictures.store(made), work)))
  }, Effect.scoped)

  const open = Effect.fnUntraced(function* (
    user: CurrentUserShape,
    importId: number,
    may: (user: CurrentUserShape, found: ImportFacts) => boolean
  ) {
    const found = yield* rows.find(importId)
    if (Option.isNone(found)) return yield* new VideoImportNotFound()
    if (!may(user, found.value)) return yield* new Forbidden({ reason: "This import is not yours" })
    return found.value
  })

  const around = (user: CurrentUserShape, found: ImportFacts, action: string) =>
    isOwnImport(user, found)
      ? unaudited
      : audit.around(user, {
          domain: "video-import",
          action,
          target: { importId: found.id, userId: found.userId },
          values: rows.values(found.id)
        })

  const settle = Effect.fnUntraced(function* (
    change: Effect.Effect<"done" | "refused" | "missing", DatabaseUnavailable>,
    reason: string
  ) {
    const became = yield* change
    if (became === "missing") return yield* new VideoImportNotFound()
    if (became === "refused") return yield* new Conflict({ reason })
  })

  const cancel = Effect.fn("VideoImports.cancel")(function* (user: CurrentUserShape, importId: number) {
    const found = yield* open(user, importId, mayEndImport)
    yield* settle(around(user, found, "cancel")(rows.cancel(importId)), "This import has ended")
    yield* wakeups.cancelled(importId)
  })

  const retry = Effect.fn("VideoImports.retry")(function* (user: CurrentUserShape, importId: number) {
    const found = yield* open(user, importId, mayRetryImport)
    if (found.attempts >= maxAttempts) {
      return yield* new Conflict({ reason: `This import was tried ${maxAttempts} times: create a new import` })
    }
    const enabled = found.targetUrl === null ? settings.torrent : settings.http
    if (!enabled) return yield* new Conflict({ reason: "Imports of this kind are switched off here" })
    const channel = found.video === null ? Option.none() : yield* channels.find(found.video.channelId)
    if (Option.isSome(channel)) yield* checkRoom(channel.value)
    const asker = mayTakeOverImport(user, found) ? user.id : found.userId
    const retried = around(user, found, "retry")(rows.retry(importId, asker))
    yield* settle(retried, "Only imports that failed can be tried again")
    yield* wakeups.notify
  })

  const remove = Effect.fn("VideoImports.remove")(function* (user: CurrentUserShape, importId: number) {
    const found = yield* open(user, importId, mayEndImport)
    yield* settle(around(user, found, "delete")(rows.remove(importId)), "This import has not ended: cancel it first")
  })

  return VideoImports.of({ create, receive, cancel, retry, remove })
})

/** Creates and manages imports. `RunImport` fetches the videos. */
export class VideoImports extends Context.Service<
  VideoImports,
  {
    /** Creates the video, its import and its job. Returns the id of the import. */
    readonly create: (wanted: WantedImport) => Effect.Effect<{ readonly id: number }, Refused | AlreadyImported>
    /** The same for an HTTP request. Returns the import as JSON text (contract: VideoImport). */
    readonly receive: (
      user: CurrentUserShape,
      request: HttpServerRequest
    ) => Effect.Effect<Json<VideoImport>, Refused | BodyRefused | VideoImportNotFound | RateLimited>
    /** Cancels an import that waits or runs. */
    readonly cancel: (user: CurrentUserShape, importId: number) => Effect.Effect<void, ChangeRefused>
    /** Retries a failed import. */
    readonly retry: (user: CurrentUserShape, importId: number) => Effect.Effect<void, ChangeRefused | QuotaReached>
    /** Removes an import that has ended. */
    readonly remove: (user: CurrentUserShape, importId: number) => Effect.Effect<void, ChangeRefused>
  }
>()("@kinora/node/imports/VideoImports") {
  static readonly layer = Layer.effect(VideoImports, make)
}
