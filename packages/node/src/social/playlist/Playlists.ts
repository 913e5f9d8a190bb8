import { constraints } from "@kinora/domain/enums/Constraints"
import { PlaylistPrivacy } from "@kinora/domain/enums/PlaylistPrivacy"
import { PlaylistType } from "@kinora/domain/enums/PlaylistType"
import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import { BadRequest, InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { PlaylistCreate, PlaylistReorder, PlaylistUpdate } from "@kinora/domain/requests/PlaylistRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { ChannelRows, type ChannelRow } from "@kinora/storage/people/channel/ChannelRows"
import type { PlaylistFacts } from "@kinora/storage/social/playlist/PlaylistRows"
import { PlaylistWrites } from "@kinora/storage/social/playlist/PlaylistWrites"
import { Context, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { PlaylistActs } from "./PlaylistActs.ts"
import { PlaylistPictures } from "./PlaylistPictures.ts"
import { mayMovePlaylist } from "./PlaylistRights.ts"
import { outOfPlace, PlaylistVideos } from "./PlaylistVideos.ts"

/** A playlist that was made. */
export interface MadePlaylist {
  readonly id: number
  readonly uuid: string
  readonly shortUUID: string
}

type PictureRefused = InvalidParameters | InsufficientStorage | DatabaseUnavailable

export type PlaylistWriteRefused = PictureRefused | VideoChannelNotFound | Forbidden | BadRequest

const { max: mostPlaylists } = constraints.playlist.perAccount

const publicNeedsChannel = () =>
  InvalidParameters.one("videoChannelId", "Must be given: a public playlist is in a channel", "body")

const watchLaterStays = () => new BadRequest({ reason: `"Watch later" can neither be changed nor deleted` })

const make = Effect.gen(function* () {
  const { derived } = yield* KinoraConfig
  const channels = yield* ChannelRows
  const pictures = yield* PlaylistPictures
  const videos = yield* PlaylistVideos
  const writes = yield* PlaylistWrites
  const acts = yield* PlaylistActs

  /** Refuses a channel in which the user may not publish. */
  const checkChannel = Effect.fnUntraced(function* (asker: CurrentUserShape, channelId: number) {
    const channel = yield* channels.byId(channelId)
    if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
    if (mayOnChannel(asker, "publish", channel.value)) return channel.value
    return yield* new Forbidden({ reason: `User ${asker.username} may not publish in this channel` })
  })

  const gone = { PlaylistHomeGone: () => Effect.fail(new VideoChannelNotFound()) }

  const create = Effect.fn("Playlists.create")(function* (
    asker: CurrentUserShape,
    request: PlaylistCreate,
    file?: string
  ) {
    const { description = null, displayName, privacy = PlaylistPrivacy.private, videoChannelId = null } = request
    if (privacy === PlaylistPrivacy.public && videoChannelId === null) return yield* publicNeedsChannel()
    if (videoChannelId !== null) yield* checkChannel(asker, videoChannelId)
    const uuid = randomUUID()
    const id = yield* pictures.using(file, (made = []) =>
      writes
        .create(
          {
            uuid,
            url: `${derived.origin}/video-playlists/${uuid}`,
            name: displayName,
            description,
            privacy,
            accountId: asker.accountId,
            channelId: videoChannelId,
            pictures: made
          },
          mostPlaylists
        )
        .pipe(
          Effect.catchTags({
            ...gone,
            TooManyPlaylists: ({ most }) =>
              Effect.fail(new BadRequest({ reason: `An account has at most ${most} playlists` }))
          })
        )
    )
    return { id, uuid, shortUUID: toShortUuid(uuid) }
  })

  /** Whether the playlist goes to another channel; refused where the user may not put it there. */
  const checkMove = Effect.fnUntraced(function* (
    asker: CurrentUserShape,
    playlist: PlaylistFacts,
    channelId: number | null | undefined
  ) {
    if (channelId === undefined || channelId === playlist.channelId) return
    const channel = channelId === null ? undefined : yield* checkChannel(asker, channelId)
    const staysWithOwner = channel !== undefined && channel.accountId === playlist.ownerAccountId
    if (staysWithOwner || mayMovePlaylist(playlist, asker)) return
    return yield* new Forbidden({ reason: "Only its owner may take a playlist out of the owner's channels" })
  })

  const update = Effect.fn("Playlists.update")(function* (
    asker: CurrentUserShape,
    playlist: PlaylistFacts,
    changes: PlaylistUpdate,
    file?: string
  ) {
    if (playlist.type === PlaylistType.watchLater) return yield* watchLaterStays()
    if (Object.keys(changes).length === 0 && file === undefined) return
    const { description, displayName: name, privacy, videoChannelId: channelId } = changes
    const home = channelId === undefined ? playlist.channelId : channelId
    if ((privacy ?? playlist.privacy) === PlaylistPrivacy.public && home === null) return yield* publicNeedsChannel()
    yield* checkMove(asker, playlist, channelId)
    yield* pictures.using(file, (made) =>
      acts
        .change(
          asker,
          playlist,
          "update"
        )(writes.update(playlist.id, asker.accountId, { name, description, privacy, channelId, pictures: made }))
        .pipe(
          Effect.catchTags({ ...gone, PublicNeedsChannel: () => Effect.fail(publicNeedsChannel()) }),
          // Within the use of the pictures: of a playlist that is gone they go too.
          Effect.filterOrFail(
            (done) => done,
            () => new PlaylistNotFound()
          )
        )
    )
  })

  const remove = Effect.fn("Playlists.remove")(function* (asker: CurrentUserShape, playlist: PlaylistFacts) {
    if (playlist.type === PlaylistType.watchLater) return yield* watchLaterStays()
    const removed = yield* acts.change(asker, playlist, "delete")(writes.remove(playlist.id, asker.accountId))
    if (!removed) return yield* new PlaylistNotFound()
  })

  const reorder = Effect.fn("Playlists.reorder")(function* (channel: ChannelRow, order: PlaylistReorder) {
    yield* writes
      .reorder(channel.id, { ...order, reorderLength: order.reorderLength ?? 1 })
      .pipe(Effect.catchTag("Misplaced", (wrong) => Effect.fail(outOfPlace(wrong))))
  })

  return Playlists.of({ create, update, remove, reorder, addVideo: videos.add })
})

/** Playlists as their people manage them. Who may change one is decided before (`PlaylistAccess`). */
export class Playlists extends Context.Service<
  Playlists,
  {
    /**
     * Makes a regular playlist: private where nothing is said, in a channel where the user may publish. `file` is the path
     * of a picture, alone in a folder in which its sizes may be made.
     */
    readonly create: (
      asker: CurrentUserShape,
      request: PlaylistCreate,
      file?: string
    ) => Effect.Effect<MadePlaylist, PlaylistWriteRefused>
    readonly update: (
      asker: CurrentUserShape,
      playlist: PlaylistFacts,
      changes: PlaylistUpdate,
      file?: string
    ) => Effect.Effect<void, PlaylistWriteRefused | PlaylistNotFound>
    readonly remove: (
      asker: CurrentUserShape,
      playlist: PlaylistFacts
    ) => Effect.Effect<void, BadRequest | PlaylistNotFound | DatabaseUnavailable>
    /** See `PlaylistVideos.add`. */
    readonly addVideo: PlaylistVideos["Service"]["add"]
    /** Moves neighbours among the playlists of a channel. */
    readonly reorder: (
      channel: ChannelRow,
      order: PlaylistReorder
    ) => Effect.Effect<void, InvalidParameters | DatabaseUnavailable>
  }
>()("@kinora/node/playlists/Playlists") {
  static readonly layer = Layer.effect(Playlists, make)
}
