import { hasRight } from "@kinora/domain/enums/UserRight"
import { Conflict, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { BadRequest, type InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoChannelSyncNotFound } from "@kinora/domain/errors/SyncErrors"
import type { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import type { ImportVideosInChannel } from "@kinora/domain/requests/ChannelRequests"
import type { VideoChannelSyncCreate } from "@kinora/domain/requests/SyncRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { Json } from "@kinora/domain/wire/Json"
import type { VideoChannelSync } from "@kinora/domain/wire/VideoChannelAnswers"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { YtDlp } from "@kinora/media/ytdlp/YtDlp"
import { type ChannelRow, ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { type SyncFacts, SyncRows } from "@kinora/storage/video/sync/SyncRows"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Context, Effect, Layer, Option } from "effect"
import {
  type ChannelAction,
  type ChannelFacts,
  mayOnChannel,
  worksOnChannel
} from "../../people/channel/ChannelRights.ts"
import { AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeRoomCheck } from "../import/ImportRoom.ts"
import { checkAddress } from "../import/ImportSource.ts"
import { SyncWakeups } from "./SyncWakeups.ts"

type Refused = Forbidden | VideoChannelNotFound | VideoChannelSyncNotFound | DatabaseUnavailable
type AddressRefused = InvalidParameters | Forbidden

const openVideos = 1

const channelOf = ({ channel, channelId }: SyncFacts): ChannelFacts => ({ ...channel, id: channelId, isLocal: true })

const make = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const guard = yield* FetchGuard
  const channels = yield* ChannelRows
  const rows = yield* SyncRows
  const payers = yield* UploadChannels
  const checkRoom = yield* makeRoomCheck
  const wakeups = yield* SyncWakeups
  const audit = yield* AuditTrail
  const pages = yield* YtDlp
  const { video_channel_synchronization: settings, videos } = config.import

  const whenImported = Effect.gen(function* () {
    if (!videos.http.enabled) {
      return yield* new Forbidden({ reason: "Videos are not imported from addresses on this instance" })
    }
  })

  const whenReadable = Effect.gen(function* () {
    if (Option.isNone(yield* pages.version)) {
      return yield* new Forbidden({
        reason: "This instance cannot read channels of other sites: its operator has to install yt-dlp"
      })
    }
  })

  const whenEnabled = Effect.gen(function* () {
    yield* whenImported
    if (!settings.enabled) {
      return yield* new Forbidden({ reason: "This instance does not synchronise channels" })
    }
  })

  /**
   * Checks that the URL is allowed and that the tool to read it exists: later there would be nobody to show the error
   * to.
   */
  const lookable = Effect.fnUntraced(function* (url: string) {
    yield* checkAddress(guard, url, "externalChannelUrl")
    yield* whenReadable
  })

  const forbidden = () => new Forbidden({ reason: "You may not do this to the imports of this channel" })

  /** Administrators manage the synchronisations of all local channels. */
  const mayOn = (user: CurrentUserShape, action: ChannelAction, channel: Parameters<typeof mayOnChannel>[2]) =>
    mayOnChannel(user, action, channel) || (channel.isLocal && hasRight(user.role, "MANAGE_VIDEO_IMPORTS"))

  /** Adds the entry of what an administrator does with the synchronisations of others. */
  const around = (
    user: CurrentUserShape,
    permission: ChannelAction,
    channel: ChannelFacts,
    action: string,
    details: Readonly<Record<string, unknown>>
  ) =>
    worksOnChannel(user, permission, channel)
      ? unaudited
      : audit.around(user, { domain: "channel-sync", action, target: { channelId: channel.id, ...details } })

  const open = Effect.fnUntraced(function* (user: CurrentUserShape, syncId: number, action: ChannelAction) {
    const found = yield* rows.find(syncId)
    if (Option.isNone(found)) return yield* new VideoChannelSyncNotFound()
    if (!mayOn(user, action, channelOf(found.value))) return yield* forbidden()
    return found.value
  })

  const create = Effect.fn("ChannelSyncs.create")(function* (user: CurrentUserShape, wanted: VideoChannelSyncCreate) {
    const channel = yield* channels.byId(wanted.videoChannelId)
    if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
    if (!mayOn(user, "publish", channel.value)) return yield* forbidden()
    yield* whenEnabled
    yield* lookable(wanted.externalChannelUrl)
    const { externalChannelUrl, videoPrivacy = openVideos } = wanted
    const made = yield* around(user, "publish", channel.value, "create", { externalChannelUrl, videoPrivacy })(
      rows.create(
        { channelId: channel.value.id, externalChannelUrl, videoPrivacy, accountId: user.accountId },
        settings.max_per_user
      )
    ).pipe(
      Effect.catchTags({
        SyncChannelGone: () => new VideoChannelNotFound(),
        SyncExists: () => new Conflict({ reason: "The channel is synchronised with this address already" }),
        TooManySyncs: ({ max }) => new BadRequest({ reason: `A user has at most ${max} synchronisations` })
      })
    )
    yield* wakeups.notify
    return made
  })

  const remove = Effect.fn("ChannelSyncs.remove")(function* (user: CurrentUserShape, syncId: number) {
    const sync = yield* open(user, syncId, "edit")
    const { externalChannelUrl } = sync
    const removed = around(user, "edit", channelOf(sync), "delete", { syncId, externalChannelUrl })(
      rows.remove(sync, user.accountId)
    )
    if (!(yield* removed)) return yield* new VideoChannelSyncNotFound()
  })

  const trigger = Effect.fn("ChannelSyncs.trigger")(function* (user: CurrentUserShape, syncId: number) {
    const sync = yield* open(user, syncId, "publish")
    yield* whenEnabled
    yield* whenReadable
    const wanted = around(user, "publish", channelOf(sync), "trigger", { syncId })(rows.wantEverything(syncId))
    if (!(yield* wanted)) return yield* new VideoChannelSyncNotFound()
    yield* wakeups.notify
  })

  /** A synchronisation of another channel counts as not found. */
  const partOf = Effect.fnUntraced(function* (channel: ChannelRow, syncId: number) {
    const found: Option.Option<SyncFacts> = yield* rows.find(syncId)
    if (Option.isNone(found) || found.value.channelId !== channel.id) return yield* new VideoChannelSyncNotFound()
  })

  const importVideos = Effect.fn("ChannelSyncs.importVideos")(function* (
    user: CurrentUserShape,
    channel: ChannelRow,
    { externalChannelUrl, videoChannelSyncId }: ImportVideosInChannel
  ) {
    if (!mayOn(user, "publish", channel)) return yield* forbidden()
    if (videoChannelSyncId !== undefined) yield* partOf(channel, videoChannelSyncId)
    yield* whenImported
    yield* lookable(externalChannelUrl)
    const payer = yield* payers.find(channel.id)
    if (Option.isSome(payer)) yield* checkRoom(payer.value)
    const fetched = rows.fetchEverything({
      channelId: channel.id,
      externalChannelUrl,
      syncId: videoChannelSyncId ?? null,
      userId: user.id,
      accountId: user.accountId
    })
    yield* around(user, "publish", channel, "import-videos", { externalChannelUrl })(fetched).pipe(
      Effect.catchTag("TooManyWholeChannels", ({ max }) =>
        Effect.fail(new BadRequest({ reason: `At most ${max} channels wait for one user: try again later` }))
      )
    )
    yield* wakeups.notify
  })

  return ChannelSyncs.of({ create, remove, trigger, importVideos })
})

/** Synchronisations of channels with external ones, for their users. */
export class ChannelSyncs extends Context.Service<
  ChannelSyncs,
  {
    /** Returns it as JSON text (contract: VideoChannelSync). */
    readonly create: (
      user: CurrentUserShape,
      wanted: VideoChannelSyncCreate
    ) => Effect.Effect<Json<VideoChannelSync>, Refused | AddressRefused | Conflict | BadRequest>
    /** Allowed for moderators too, and even if synchronisation has been disabled. */
    readonly remove: (user: CurrentUserShape, syncId: number) => Effect.Effect<void, Refused>
    /** Imports all videos, not only new ones. */
    readonly trigger: (user: CurrentUserShape, syncId: number) => Effect.Effect<void, Refused>
    /** Imports the videos of an external channel once. */
    readonly importVideos: (
      user: CurrentUserShape,
      channel: ChannelRow,
      wanted: ImportVideosInChannel
    ) => Effect.Effect<void, Refused | AddressRefused | BadRequest | QuotaReached>
  }
>()("@kinora/node/syncs/ChannelSyncs") {
  static readonly layer = Layer.effect(ChannelSyncs, make)
}
