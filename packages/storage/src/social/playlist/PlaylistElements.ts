import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { lockPlaylist, touchPlaylist } from "./PlaylistLocks.ts"
import { misplaced, type Reorder, shiftOf } from "./Places.ts"
import { Misplaced } from "./PlaylistWrites.ts"

/** A video for the end of a playlist; times are seconds. */
export interface NewPlaylistElement {
  readonly playlistId: number
  readonly videoId: number
  readonly startTimestamp: number | null
  readonly stopTimestamp: number | null
}

/** What changes; null takes away. */
export interface ElementChanges {
  readonly startTimestamp?: number | null | undefined
  readonly stopTimestamp?: number | null | undefined
}

/** The playlist is gone, or the element is not in it, or the video is gone. */
export class ElementMissing extends Data.TaggedError("ElementMissing")<{
  readonly what: "playlist" | "element" | "video"
}> {}

/** The playlist has as many elements as it may have. */
export class PlaylistFull extends Data.TaggedError("PlaylistFull")<{ readonly most: number }> {}

/** An element would end before it begins. */
export class EndsBeforeStart extends Data.TaggedError("EndsBeforeStart")<{
  readonly startTimestamp: number
  readonly stopTimestamp: number
}> {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const action = ChannelActivityAction.updateElements

  const held = Effect.fnUntraced(function* (playlistId: number, between?: Effect.Effect<unknown, SqlError>) {
    const playlist = yield* lockPlaylist(sql, playlistId, between)
    return playlist === undefined ? yield* new ElementMissing({ what: "playlist" }) : playlist
  })

  const checkTimes = (start: number | null, stop: number | null) =>
    start !== null && stop !== null && stop <= start
      ? Effect.fail(new EndsBeforeStart({ startTimestamp: start, stopTimestamp: stop }))
      : Effect.void

  const add = Effect.fn("PlaylistElements.add")(
    function* (element: NewPlaylistElement, accountId: number, most: number) {
      const { playlistId, startTimestamp, stopTimestamp, videoId } = element
      yield* checkTimes(startTimestamp, stopTimestamp)
      const playlist = yield* held(playlistId, sql`select 1 from video where id = ${videoId} for key share`)
      if (playlist.videosLength >= most) return yield* new PlaylistFull({ most })
      const rows = yield* sql<{ id: number }>`
        insert into video_playlist_element (playlist_id, video_id, position, start_timestamp, stop_timestamp)
        select ${playlistId}::int, v.id, ${playlist.videosLength + 1}::int, ${startTimestamp}::int, ${stopTimestamp}::int
        from video v where v.id = ${videoId}
        returning id`
      if (rows.length === 0) return yield* new ElementMissing({ what: "video" })
      yield* touchPlaylist(sql, playlist, accountId, action)
      return rows[0]!.id
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const update = Effect.fn("PlaylistElements.update")(
    function* (playlistId: number, elementId: number, accountId: number, changes: ElementChanges) {
      const playlist = yield* held(playlistId)
      const rows = yield* sql<{ start: number | null; stop: number | null }>`
        select start_timestamp as start, stop_timestamp as stop from video_playlist_element
        where id = ${elementId} and playlist_id = ${playlistId}`
      if (rows.length === 0) return yield* new ElementMissing({ what: "element" })
      const start = changes.startTimestamp === undefined ? rows[0]!.start : changes.startTimestamp
      const stop = changes.stopTimestamp === undefined ? rows[0]!.stop : changes.stopTimestamp
      yield* checkTimes(start, stop)
      yield* sql`
        update video_playlist_element set start_timestamp = ${start}::int, stop_timestamp = ${stop}::int, updated_at = now()
        where id = ${elementId}`
      yield* touchPlaylist(sql, playlist, accountId, action)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const remove = Effect.fn("PlaylistElements.remove")(
    function* (playlistId: number, elementId: number, accountId: number) {
      const playlist = yield* held(playlistId)
      const rows = yield* sql<{ position: number }>`
        delete from video_playlist_element where id = ${elementId} and playlist_id = ${playlistId} returning position`
      if (rows.length === 0) return yield* new ElementMissing({ what: "element" })
      yield* sql`
        update video_playlist_element set position = position - 1
        where playlist_id = ${playlistId} and position > ${rows[0]!.position}`
      yield* touchPlaylist(sql, playlist, accountId, action)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const reorder = Effect.fn("PlaylistElements.reorder")(
    function* (playlistId: number, accountId: number, order: Reorder) {
      const playlist = yield* held(playlistId)
      const wrong = misplaced(order, playlist.videosLength)
      if (wrong !== undefined) return yield* new Misplaced(wrong)
      const shift = shiftOf(order)
      if (shift === undefined) return
      yield* sql`
        update video_playlist_element set position = position + case
          when position between ${shift.from} and ${shift.to} then ${shift.by}::int else ${shift.othersBy}::int end
        where playlist_id = ${playlistId} and position between ${shift.first} and ${shift.last}`
      yield* touchPlaylist(sql, playlist, accountId, action)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return PlaylistElements.of({ add, update, remove, reorder })
})

/**
 * Changes what stands in playlists. Places stay 1 to n without gaps: each change holds the playlist's row until it is
 * committed.
 */
export class PlaylistElements extends Context.Service<
  PlaylistElements,
  {
    /** Puts a video at the end and gives the element's row id. `most`: elements a playlist may have. */
    readonly add: (
      element: NewPlaylistElement,
      accountId: number,
      most: number
    ) => Effect.Effect<number, ElementMissing | PlaylistFull | EndsBeforeStart | DatabaseUnavailable>
    readonly update: (
      playlistId: number,
      elementId: number,
      accountId: number,
      changes: ElementChanges
    ) => Effect.Effect<void, ElementMissing | EndsBeforeStart | DatabaseUnavailable>
    /** Takes an element out; those behind it move up. */
    readonly remove: (
      playlistId: number,
      elementId: number,
      accountId: number
    ) => Effect.Effect<void, ElementMissing | DatabaseUnavailable>
    readonly reorder: (
      playlistId: number,
      accountId: number,
      order: Reorder
    ) => Effect.Effect<void, ElementMissing | Misplaced | DatabaseUnavailable>
  }
>()("@kinora/storage/playlists/PlaylistElements") {
  static readonly layer = Layer.effect(PlaylistElements, make)
}
