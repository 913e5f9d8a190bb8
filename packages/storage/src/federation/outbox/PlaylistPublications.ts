import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { rowsOf } from "../activitypub/ObjectFound.ts"
import { PlaylistRow, selectPlaylists } from "../activitypub/rows/PlaylistRow.ts"

/** What others have of a playlist of ours. */
export interface SentPlaylist {
  /** False: it was deleted for them. */
  readonly announced: boolean
  /** How often it was announced. */
  readonly times: number
  /** Actors whose followers have it, former owners and channels too. */
  readonly known: ReadonlyArray<number>
  readonly digest: string | null
}

/** A playlist of ours as it is now. */
export interface PublishedPlaylist {
  readonly url: string
  /** Whether others hear of it without asking. */
  readonly isPublic: boolean
  readonly ownerActorId: number
  /** Actors whose followers hear of it: owner, channel, instance. */
  readonly followed: ReadonlyArray<number>
  /** Null: nothing was sent. */
  readonly sent: SentPlaylist | null
}

const elements = `coalesce((
  select string_agg(concat_ws(':', id, video_id, position, start_timestamp, stop_timestamp), ',' order by position)
  from video_playlist_element where playlist_id = p.id
), '')`

/** What others have of our playlists. Everything takes part in the caller's transaction. */
export class PlaylistPublications extends Context.Service<
  PlaylistPublications,
  {
    /** Undefined: it is none of ours, or gone. */
    readonly of: (playlistId: number) => Effect.Effect<PublishedPlaylist | undefined, DatabaseUnavailable>
    /** What its object is made of, and a text that differs whenever its elements do. */
    readonly row: (
      playlistId: number
    ) => Effect.Effect<PlaylistRow & { readonly elements: string }, DatabaseUnavailable>
    /** It was sent: to whom, and what. */
    readonly remember: (
      playlistId: number,
      known: ReadonlyArray<number>,
      digest: string
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** It was deleted for others. */
    readonly withdraw: (playlistId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Nobody has it. */
    readonly forget: (playlistId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/PlaylistPublications") {
  static readonly layer = Layer.effect(
    PlaylistPublications,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const of = Effect.fnUntraced(function* (playlistId: number) {
        // A deletion waits until what is sent here is remembered, and finds it.
        yield* sql`select from video_playlist where id = ${playlistId} for key share`
        const [row] = yield* sql<PublishedPlaylist>`
          select p.url, p.privacy = 1 and not p.remote as "isPublic", a.actor_id as "ownerActorId",
            array_remove(playlist_followed(p.id), null) as followed,
            (
              select json_build_object('announced', s.announced, 'times', s.times, 'known', s.known,
                'digest', encode(s.digest, 'hex'))
              from playlist_published s where s.playlist_id = p.id
            ) as sent
          from video_playlist p join account a on a.id = p.owner_account_id
          where p.id = ${playlistId} and not p.remote and p.type = 1`
        return row
      }, withDatabaseErrors)

      const playlists = rowsOf(sql, Schema.Struct({ ...PlaylistRow.fields, elements: Schema.String }))
      const row = Effect.fnUntraced(function* (playlistId: number) {
        return (yield* playlists(selectPlaylists("p.id = $1", `, ${elements} as elements`), [playlistId]))[0]!
      })

      const remember = Effect.fnUntraced(function* (playlistId: number, known: ReadonlyArray<number>, digest: string) {
        yield* sql`
          insert into playlist_published as s (playlist_id, announced, known, digest)
          values (${playlistId}, true, ${[...new Set(known)]}::integer[], decode(${digest}, 'hex'))
          on conflict (playlist_id) do update set announced = true, known = excluded.known, digest = excluded.digest,
            times = s.times + (not s.announced)::integer`
      }, withDatabaseErrors)

      const withdraw = Effect.fnUntraced(function* (playlistId: number) {
        yield* sql`
          update playlist_published set announced = false, known = '{}', digest = null where playlist_id = ${playlistId}`
      }, withDatabaseErrors)

      const forget = Effect.fnUntraced(function* (playlistId: number) {
        yield* sql`delete from playlist_published where playlist_id = ${playlistId}`
      }, withDatabaseErrors)

      return PlaylistPublications.of({ of, row, remember, withdraw, forget })
    })
  )
}
