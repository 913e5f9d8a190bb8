import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { PlaylistPrivacy } from "@kinora/domain/enums/PlaylistPrivacy"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { usingNewObjects } from "../../video/write/NewObjects.ts"
import { keepObjects } from "../../platform/objects/ObjectIntents.ts"
import { type PlaylistFacts, playlistFacts } from "./PlaylistRows.ts"
import { recordPlaylistActivity } from "./PlaylistLocks.ts"
import { misplaced, type Reorder, shiftOf } from "./Places.ts"

/** A picture of a playlist, stored already (`usingPictures`), in pixels. */
export interface NewPlaylistPicture {
  readonly filename: string
  readonly width: number
  readonly height: number
}

export interface NewPlaylist {
  readonly uuid: string
  readonly url: string
  readonly name: string
  readonly description: string | null
  readonly privacy: PlaylistPrivacy
  /** Who makes it. It belongs to them, or where it has a channel to the account that owns it. */
  readonly accountId: number
  readonly channelId: number | null
  readonly pictures: ReadonlyArray<NewPlaylistPicture>
}

/** What changes; what is not given stays, null takes away. */
export interface PlaylistChanges {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly privacy?: PlaylistPrivacy | undefined
  readonly channelId?: number | null | undefined
  /** In place of those there are. */
  readonly pictures?: ReadonlyArray<NewPlaylistPicture> | undefined
}

/** The channel, or the account that makes the playlist, is gone. */
export class PlaylistHomeGone extends Data.TaggedError("PlaylistHomeGone")<{ readonly channelId: number | null }> {}

/** The account has as many playlists as it may have. */
export class TooManyPlaylists extends Data.TaggedError("TooManyPlaylists")<{ readonly most: number }> {}

/** The playlist would be public without a channel. */
export class PublicNeedsChannel extends Data.TaggedError("PublicNeedsChannel")<{ readonly playlistId: number }> {}

/** There are not as many. */
export class Misplaced extends Data.TaggedError("Misplaced")<NonNullable<ReturnType<typeof misplaced>>> {}

interface Placed extends PlaylistFacts {
  /** Its place in the channel. */
  readonly position: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** Holds the owners of channels, then the channels: so they keep their owners and the places in them are this one's to change. */
  const holdChannels = Effect.fnUntraced(function* (ids: ReadonlyArray<number | null>) {
    const channels = ids.filter((id) => id !== null)
    if (channels.length === 0) return new Map<number, number>()
    yield* sql`
      select 1 from account where id in (select account_id from video_channel where id = any(${channels}::int[]))
      order by id for key share`
    const rows = yield* sql<{ id: number; accountId: number }>`
      select id, account_id as "accountId" from video_channel where id = any(${channels}::int[])
      order by id for no key update`
    return new Map(rows.map(({ accountId, id }) => [id, accountId]))
  })

  const setPictures = Effect.fnUntraced(function* (playlistId: number, pictures: ReadonlyArray<NewPlaylistPicture>) {
    yield* sql`delete from video_playlist_thumbnail where playlist_id = ${playlistId}`
    yield* sql`
      insert into video_playlist_thumbnail (playlist_id, filename, width, height)
      select ${playlistId}::int, t.filename, t.width, t.height
      from json_to_recordset(${JSON.stringify(pictures)}::text::json) as t (filename text, width int, height int)`
    yield* keepObjects(
      sql,
      pictures.map(({ filename }) => ({ bucket: "thumbnails", name: filename }))
    )
  })

  const nextPosition = (channelId: number | null) =>
    sql`(select coalesce(max(channel_position), 0) + 1 from video_playlist where channel_id = ${channelId}::int
      having ${channelId}::int is not null)`

  const closeGap = (channelId: number, position: number) => sql`
    update video_playlist set channel_position = channel_position - 1
    where channel_id = ${channelId} and channel_position > ${position}`

  const create = Effect.fn("PlaylistWrites.create")(
    function* (playlist: NewPlaylist, most: number) {
      const { accountId, channelId, description, name, pictures, privacy, url, uuid } = playlist
      const owners = yield* holdChannels([channelId])
      const owner = channelId === null ? accountId : owners.get(channelId)
      if (owner === undefined) return yield* new PlaylistHomeGone({ channelId })
      const accounts = yield* sql`select 1 from account where id = ${owner} for key share`
      if (accounts.length === 0) return yield* new PlaylistHomeGone({ channelId })
      const [{ count }] = (yield* sql<{ count: number }>`
        select count(*) as count from video_playlist where owner_account_id = ${owner}`) as [{ count: number }]
      if (count >= most) return yield* new TooManyPlaylists({ most })
      const rows = yield* sql<{ id: number }>`
        insert into video_playlist (uuid, url, name, description, privacy, owner_account_id, channel_id, channel_position)
        values (${uuid}::uuid, ${url}, ${name}, ${description}, ${privacy}::smallint, ${owner}, ${channelId}::int,
          ${nextPosition(channelId)})
        returning id`
      const { id } = rows[0]!
      if (pictures.length > 0) yield* setPictures(id, pictures)
      yield* recordPlaylistActivity(sql, { id, uuid, url, name, channelId }, accountId, ChannelActivityAction.create)
      return id
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  /** The playlist with its places and those of its channels held; undefined when it is gone. */
  const hold = Effect.fnUntraced(function* (
    playlistId: number,
    besides: number | null
  ): Effect.fn.Return<
    { readonly playlist: Placed; readonly owners: ReadonlyMap<number, number> } | undefined,
    SqlError
  > {
    const found = yield* sql<{ channelId: number | null }>`
      select channel_id as "channelId" from video_playlist where id = ${playlistId}`
    if (found.length === 0) return undefined
    const owners = yield* holdChannels([found[0]!.channelId, besides])
    yield* sql`select 1 from video_playlist where id = ${playlistId} for no key update`
    const rows = yield* sql<Placed>`
      select ${playlistFacts(sql)}, p.channel_position as position from video_playlist p where p.id = ${playlistId}`
    const playlist = rows[0]
    if (playlist === undefined) return undefined
    // Somebody put it elsewhere while this waited.
    return playlist.channelId === found[0]!.channelId ? { playlist, owners } : yield* hold(playlistId, besides)
  })

  const move = Effect.fnUntraced(function* (
    playlist: Placed,
    channelId: number | null,
    owners: ReadonlyMap<number, number>,
    privacy: PlaylistPrivacy
  ) {
    const owner = channelId === null ? playlist.ownerAccountId : owners.get(channelId)
    if (owner === undefined) return yield* new PlaylistHomeGone({ channelId })
    yield* sql`
      update video_playlist set channel_id = ${channelId}::int, channel_position = ${nextPosition(channelId)},
        owner_account_id = ${owner}, privacy = ${privacy}::smallint
      where id = ${playlist.id}`
    if (playlist.channelId !== null && playlist.position !== null)
      yield* closeGap(playlist.channelId, playlist.position)
  })

  const update = Effect.fn("PlaylistWrites.update")(
    function* (playlistId: number, accountId: number, changes: PlaylistChanges) {
      const held = yield* hold(playlistId, changes.channelId ?? null)
      if (held === undefined) return false
      const { owners, playlist } = held
      const channelId = changes.channelId === undefined ? playlist.channelId : changes.channelId
      const privacy = changes.privacy ?? playlist.privacy
      if (privacy === 1 && channelId === null) return yield* new PublicNeedsChannel({ playlistId })
      if (channelId !== playlist.channelId) yield* move(playlist, channelId, owners, privacy)
      const name = changes.name ?? playlist.name
      const keepsDescription = changes.description === undefined
      yield* sql`
        update video_playlist set name = ${name}, privacy = ${privacy}::smallint, updated_at = now(),
          description = case when ${keepsDescription} then description else ${changes.description ?? null}::text end
        where id = ${playlistId}`
      if (changes.pictures !== undefined) yield* setPictures(playlistId, changes.pictures)
      const told = { ...playlist, name, channelId: channelId ?? playlist.channelId }
      yield* recordPlaylistActivity(sql, told, accountId, ChannelActivityAction.update)
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const remove = Effect.fn("PlaylistWrites.remove")(
    function* (playlistId: number, accountId: number) {
      const held = yield* hold(playlistId, null)
      if (held === undefined) return false
      const { playlist } = held
      yield* sql`delete from video_playlist where id = ${playlistId}`
      if (playlist.channelId !== null && playlist.position !== null) {
        yield* closeGap(playlist.channelId, playlist.position)
      }
      yield* recordPlaylistActivity(sql, playlist, accountId, ChannelActivityAction.delete)
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const reorder = Effect.fn("PlaylistWrites.reorder")(
    function* (channelId: number, order: Reorder) {
      yield* holdChannels([channelId])
      const [{ count }] = (yield* sql<{ count: number }>`
        select count(*) as count from video_playlist where channel_id = ${channelId}`) as [{ count: number }]
      const wrong = misplaced(order, count)
      if (wrong !== undefined) return yield* new Misplaced(wrong)
      const shift = shiftOf(order)
      if (shift === undefined) return
      yield* sql`
        update video_playlist set channel_position = channel_position + case
          when channel_position between ${shift.from} and ${shift.to} then ${shift.by}::int else ${shift.othersBy}::int end
        where channel_id = ${channelId} and channel_position between ${shift.first} and ${shift.last}`
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const usingPictures: PlaylistWrites["Service"]["usingPictures"] = (filenames, work) =>
    usingNewObjects(
      sql,
      filenames.map((name) => ({ bucket: "thumbnails", name })),
      work
    )

  return PlaylistWrites.of({ create, update, remove, reorder, usingPictures })
})

/** Makes, changes and removes playlists, each with its consequences in one transaction. */
export class PlaylistWrites extends Context.Service<
  PlaylistWrites,
  {
    /** Writes a regular playlist and gives its row id. `most`: playlists an account may have. */
    readonly create: (
      playlist: NewPlaylist,
      most: number
    ) => Effect.Effect<number, PlaylistHomeGone | TooManyPlaylists | DatabaseUnavailable>
    /** By the account that asks for it. False: there is no such playlist. */
    readonly update: (
      playlistId: number,
      accountId: number,
      changes: PlaylistChanges
    ) => Effect.Effect<boolean, PlaylistHomeGone | PublicNeedsChannel | DatabaseUnavailable>
    /** Removes a playlist; its pictures are queued for removal. False: there is none. */
    readonly remove: (playlistId: number, accountId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Moves playlists of a channel. */
    readonly reorder: (channelId: number, order: Reorder) => Effect.Effect<void, Misplaced | DatabaseUnavailable>
    /** Runs work that stores these pictures and then uses them in a playlist; when it fails they are removed. */
    readonly usingPictures: <A, E, R>(
      filenames: ReadonlyArray<string>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
  }
>()("@kinora/storage/playlists/PlaylistWrites") {
  static readonly layer = Layer.effect(PlaylistWrites, make)
}
