import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { keyOf, named, type ObjectFound } from "./ObjectFound.ts"

type Read = Effect.Effect<Option.Option<ObjectFound>, DatabaseUnavailable>

/** Playlists as other servers read them; elements whose videos are not theirs to know are left out. */
export class PlaylistObjects extends Context.Service<
  PlaylistObjects,
  {
    readonly object: (id: PlaylistIdOrUuid) => Read
    /** A page of its elements, counted from 1, with all that the playlist itself says. */
    readonly page: (id: PlaylistIdOrUuid, page: number, size: number) => Read
    readonly element: (id: PlaylistIdOrUuid, elementId: number) => Read
  }
>()("@kinora/storage/activitypub/PlaylistObjects") {
  static readonly layer = Layer.effect(
    PlaylistObjects,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const one = (text: string, id: PlaylistIdOrUuid, ...values: ReadonlyArray<number>) =>
        withDatabaseErrors(
          Effect.map(
            sql.unsafe<ObjectFound>(
              `select case when playlist_is_federated(p.id) then ${text} end as text,
                case when p.remote and p.privacy in (1, 2) then p.url end as elsewhere
              from video_playlist p where ${named(id, "p")}`,
              [keyOf(id), ...values]
            ),
            (rows) => Option.fromUndefinedOr(rows[0])
          )
        )

      return PlaylistObjects.of({
        object: (id) => one("ap_playlist(p.id)", id),
        // Places have no gaps: those of a page are known.
        page: (id, page, size) =>
          one(
            `(
              (ap_playlist(p.id)::jsonb - 'first') || jsonb_build_object('id', p.url || '?page=' || $2::int, 'partOf', p.url,
                'orderedItems', coalesce((
                  select jsonb_agg(coalesce(e.url, p.url || '/videos/' || e.id) order by e.position)
                  from video_playlist_element e
                  where e.playlist_id = p.id and e.position > ($2::int - 1)::bigint * $3::int
                    and e.position <= $2::bigint * $3::int and ap_playlist_element(e.id) is not null
                ), '[]'))
              || case when $2::int > 1 then jsonb_build_object('prev', p.url || '?page=' || $2::int - 1) else '{}' end
              || case when $2::bigint * $3::int < p.videos_length
                then jsonb_build_object('next', p.url || '?page=' || $2::int + 1) else '{}' end
            )::text`,
            id,
            page,
            size
          ),
        element: (id, elementId) =>
          one(
            `(select ap_playlist_element(e.id) from video_playlist_element e where e.id = $2 and e.playlist_id = p.id)`,
            id,
            elementId
          )
      })
    })
  )
}
