import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Everything about a playlist that people change, as the audit log keeps it. */
export interface PlaylistValues {
  readonly [name: string]: unknown
}

/** Reads what changes of playlists are compared by. */
export class PlaylistValueReads extends Context.Service<
  PlaylistValueReads,
  {
    /** Undefined if there is no such playlist. */
    readonly of: (playlistId: number) => Effect.Effect<PlaylistValues | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/social/playlist/PlaylistValueReads") {
  static readonly layer = Layer.effect(
    PlaylistValueReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const of = Effect.fn("PlaylistValueReads.of")(function* (playlistId: number) {
        const [row] = yield* sql<PlaylistValues>`
          select p.name, p.description, p.privacy, p.channel_id as "channelId", p.owner_account_id as "ownerAccountId",
            array(select t.filename from video_playlist_thumbnail t where t.playlist_id = p.id order by 1) as pictures,
            array(
              select concat_ws(' ', e.id, e.video_id, e.start_timestamp || '-', e.stop_timestamp)
              from video_playlist_element e where e.playlist_id = p.id order by e.position
            ) as elements
          from video_playlist p where p.id = ${playlistId}`
        return row
      }, withDatabaseErrors)
      return PlaylistValueReads.of({ of })
    })
  )
}
