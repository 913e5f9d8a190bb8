import { Conflict, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { BadRequest, InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoChannelSyncNotFound } from "@kinora/domain/errors/SyncErrors"
import type { ImportVideosInChannel } from "@kinora/domain/requests/ChannelRequests"
import type { VideoChannelSyncCreate } from "@kinora/domain/requests/SyncRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { type ChannelRow, ChannelRows } from "@kinora/storage/channels/ChannelRows"
import { type SyncFacts, SyncRows } from "@kinora/storage/syncs/SyncRows"
import { Context, Effect, Layer, Option } from "effect"
import { isIP } from "node:net"
import { type ChannelAction, mayOnChannel } from "../channels/ChannelRights.ts"
import { KinoraConfig } from "../config/Config.ts"
import { SyncBell } from "./SyncBell.ts"

type Refused = Forbidden | VideoChannelNotFound | VideoChannelSyncNotFound | DatabaseUnavailable
type AddressRefused = InvalidParameters | Forbidden

const openVideos = 1

const make = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const guard = yield* FetchGuard
  const channels = yield* ChannelRows
  const rows = yield* SyncRows
  const bell = yield* SyncBell
  const { video_channel_synchronization: settings, videos } = config.import

  const whenImported = Effect.gen(function* () {
    if (!videos.http.enabled) {
      return yield* new Forbidden({ reason: "Videos are not imported from addresses on this instance" })
    }
  })

  const whenEnabled = Effect.gen(function* () {
    yield* whenImported
    if (!settings.enabled) {
      return yield* new Forbidden({ reason: "Channels are not synchronised with others on this instance" })
    }
  })

  /** Holds an address against those rules of the guard that need no network; the rest is found when it is looked at. */
  const checkAddress = Effect.fnUntraced(function* (url: string) {
    const parsed = yield* Effect.mapError(guard.url(url), () =>
      InvalidParameters.one(
        "externalChannelUrl",
        "Must be an https address on the usual port, without user and password",
        "body",
        url
      )
    )
    const hostname = parsed.hostname.replace(/^\[|\]$/g, "")
    if (isIP(hostname) === 0 && !/(?:^|\.)localhost\.?$/i.test(hostname)) return
    yield* Effect.mapError(
      guard.addresses(hostname),
      () => new Forbidden({ reason: "Videos are not imported from private networks" })
    )
  })

  const forbidden = () => new Forbidden({ reason: "You may not do this to the synchronisations of this channel" })

  const open = Effect.fnUntraced(function* (user: CurrentUserShape, syncId: number, action: ChannelAction) {
    const found = yield* rows.find(syncId)
    if (Option.isNone(found)) return yield* new VideoChannelSyncNotFound()
    const { channel, channelId } = found.value
    if (!mayOnChannel(user, action, { ...channel, id: channelId, isLocal: true })) return yield* forbidden()
    return found.value
  })

  const create = Effect.fn("ChannelSyncs.create")(function* (user: CurrentUserShape, wanted: VideoChannelSyncCreate) {
    const channel = yield* channels.byId(wanted.videoChannelId)
    if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
    if (!mayOnChannel(user, "publish", channel.value)) return yield* forbidden()
    yield* whenEnabled
    yield* checkAddress(wanted.externalChannelUrl)
    const { externalChannelUrl, videoPrivacy = openVideos } = wanted
    const made = yield* rows
      .create(
        { channelId: channel.value.id, externalChannelUrl, videoPrivacy, accountId: user.accountId },
        settings.max_per_user
      )
      .pipe(
        Effect.catchTags({
          SyncChannelGone: () => new VideoChannelNotFound(),
          SyncExists: () => new Conflict({ reason: "The channel is synchronised with this address already" }),
          TooManySyncs: ({ most }) => new BadRequest({ reason: `One user has at most ${most} synchronisations` })
        })
      )
    yield* bell.ring
    return made
  })

  const remove = Effect.fn("ChannelSyncs.remove")(function* (user: CurrentUserShape, syncId: number) {
    const sync = yield* open(user, syncId, "edit")
    if (!(yield* rows.remove(sync, user.accountId))) return yield* new VideoChannelSyncNotFound()
  })

  const trigger = Effect.fn("ChannelSyncs.trigger")(function* (user: CurrentUserShape, syncId: number) {
    yield* open(user, syncId, "publish")
    yield* whenEnabled
    if (!(yield* rows.wantEverything(syncId))) return yield* new VideoChannelSyncNotFound()
    yield* bell.ring
  })

  /** A synchronisation of another channel is none of this one. */
  const partOf = Effect.fnUntraced(function* (channel: ChannelRow, syncId: number) {
    const found: Option.Option<SyncFacts> = yield* rows.find(syncId)
    if (Option.isNone(found) || found.value.channelId !== channel.id) return yield* new VideoChannelSyncNotFound()
  })

  const importVideos = Effect.fn("ChannelSyncs.importVideos")(function* (
    user: CurrentUserShape,
    channel: ChannelRow,
    { externalChannelUrl, videoChannelSyncId }: ImportVideosInChannel
  ) {
    if (videoChannelSyncId !== undefined) yield* partOf(channel, videoChannelSyncId)
    yield* whenImported
    yield* checkAddress(externalChannelUrl)
    yield* rows.fetchEverything({
      channelId: channel.id,
      externalChannelUrl,
      syncId: videoChannelSyncId ?? null,
      userId: user.id,
      accountId: user.accountId
    })
    yield* bell.ring
  })

  return ChannelSyncs.of({ create, remove, trigger, importVideos })
})

/** Synchronisations of channels with others elsewhere, as people manage them. */
export class ChannelSyncs extends Context.Service<
  ChannelSyncs,
  {
    /** Gives it as JSON text (contract: VideoChannelSync). */
    readonly create: (
      user: CurrentUserShape,
      wanted: VideoChannelSyncCreate
    ) => Effect.Effect<string, Refused | AddressRefused | Conflict | BadRequest>
    /** Moderators may as well, also where synchronisations are switched off by now. */
    readonly remove: (user: CurrentUserShape, syncId: number) => Effect.Effect<void, Refused>
    /** Takes over everything there is, and not only what is new. */
    readonly trigger: (user: CurrentUserShape, syncId: number) => Effect.Effect<void, Refused>
    /** Fetches the videos of a channel elsewhere once. The caller has checked that the user may publish in the channel. */
    readonly importVideos: (
      user: CurrentUserShape,
      channel: ChannelRow,
      wanted: ImportVideosInChannel
    ) => Effect.Effect<void, Refused | AddressRefused>
  }
>()("@kinora/node/syncs/ChannelSyncs") {
  static readonly layer = Layer.effect(ChannelSyncs, make)
}
