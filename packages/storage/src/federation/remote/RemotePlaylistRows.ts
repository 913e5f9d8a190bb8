import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { RemotePicture } from "./NewRemoteActor.ts"

export interface KeptPlaylist {
  readonly id: number
  readonly uuid: string
  readonly url: string
  readonly remote: boolean
  /** Milliseconds since 1970; 0 for ours. */
  readonly fetchedAt: number
}

export interface NewRemotePlaylist {
  readonly url: string
  readonly uuid: string | null
  readonly name: string
  readonly description: string | null
  readonly isPublic: boolean
  readonly published: string | null
  readonly updated: string | null
  readonly picture: RemotePicture | null
}

export interface NewRemoteElement {
  readonly url: string
  readonly videoId: number
  readonly start: number | null
  readonly stop: number | null
}

/** Where a playlist is: in a channel, or with an account alone, where it cannot be public here. */
export type PlaylistHome = { readonly channelId: number } | { readonly accountId: number }

/** Playlists of other instances. */
export class RemotePlaylistRows extends Context.Service<
  RemotePlaylistRows,
  {
    readonly byUrl: (url: string) => Effect.Effect<KeptPlaylist | undefined, DatabaseUnavailable>
    /**
     * Writes a playlist without its elements. Undefined when its home is gone, the address is ours, or it belonged to another
     * account; `asked` lets the last pass, where its origin was asked for it.
     */
    readonly upsert: (
      home: PlaylistHome,
      playlist: NewRemotePlaylist,
      asked: boolean
    ) => Effect.Effect<KeptPlaylist | undefined, DatabaseUnavailable>
    /** What stands in it from now on, in this order. Videos that are gone by now are left out. */
    readonly setElements: (
      playlistId: number,
      elements: ReadonlyArray<NewRemoteElement>
    ) => Effect.Effect<void, DatabaseUnavailable>
    readonly touch: (playlistId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** False when there was none; ours are never removed here. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/remote/RemotePlaylistRows") {
  static readonly layer = Layer.effect(
    RemotePlaylistRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const kept = sql`
        select p.id, p.uuid, p.url, p.remote,
          (extract(epoch from coalesce(r.fetched_at, 'epoch'::timestamptz)) * 1000)::float8 as "fetchedAt"
        from video_playlist p left join remote_playlist r on r.playlist_id = p.id`

      const byUrl = Effect.fnUntraced(function* (url: string) {
        return (yield* sql<KeptPlaylist>`${kept} where p.url = ${url}`)[0]
      }, withDatabaseErrors)

      const seen = (id: number) => sql`
        insert into remote_playlist (playlist_id) select id from video_playlist where id = ${id} and remote
        on conflict (playlist_id) do update set fetched_at = now()`

      const setPicture = Effect.fnUntraced(function* (id: number, picture: RemotePicture | null) {
        const given = picture === null ? [] : [picture]
        const former = yield* sql<RemotePicture>`
          select remote_url as url, width, height from video_playlist_thumbnail where playlist_id = ${id}`
        if (former.length === given.length && former.every((it, at) => it.url === given[at]!.url)) return
        yield* sql`delete from video_playlist_thumbnail where playlist_id = ${id}`
        for (const { height, url, width } of given) {
          yield* sql`
            insert into video_playlist_thumbnail (playlist_id, filename, width, height, remote_url)
            values (${id}, gen_random_uuid() || '.jpg', ${width}, ${height}, ${url})`
        }
      })

      const upsert = Effect.fn("RemotePlaylistRows.upsert")(
        function* (home: PlaylistHome, playlist: NewRemotePlaylist, asked: boolean) {
          const channelId = "channelId" in home ? home.channelId : null
          const owners =
            "channelId" in home
              ? yield* sql<{ id: number }>`
                  select a.id from account a join video_channel c on c.account_id = a.id where c.id = ${home.channelId}
                  for key share of a`
              : yield* sql<{ id: number }>`select id from account where id = ${home.accountId} for key share`
          const owner = owners[0]?.id
          if (owner === undefined) return undefined
          if (channelId !== null) yield* sql`select 1 from video_channel where id = ${channelId} for no key update`
          const privacy = playlist.isPublic && channelId !== null ? 1 : 2
          const { description, name, published, updated, url, uuid } = playlist
          const next = sql`
            (select coalesce(max(channel_position), 0) + 1 from video_playlist where channel_id = ${channelId}::int
              having ${channelId}::int is not null)`
          // One that writes the same at the same time is waited for. Who takes its uuid meanwhile keeps it: asked again, this
          // one has another.
          yield* sql`select pg_advisory_xact_lock(1920298358, hashtext(${url}::text))`
          yield* sql`
            insert into video_playlist (uuid, url, name, description, privacy, owner_account_id, channel_id,
              channel_position, remote, created_at, updated_at)
            select case when ${uuid}::uuid is null or exists (select from video_playlist where uuid = ${uuid}::uuid)
                then gen_random_uuid() else ${uuid}::uuid end,
              ${url}, ${name}, ${description}::text, ${privacy}::smallint, ${owner}, ${channelId}::int, ${next}, true,
              least(coalesce(${published}::text::timestamptz, now()), now()),
              least(coalesce(${updated}::text::timestamptz, ${published}::text::timestamptz, now()), now())
            where not exists (select from video_playlist where url = ${url})
            on conflict (uuid) do nothing`
          const row = (yield* sql<KeptPlaylist & { readonly owner: number }>`
            select id, uuid, url, remote, owner_account_id as owner from video_playlist where url = ${url}
            for no key update`)[0]
          if (row === undefined || !row.remote || (row.owner !== owner && !asked)) return undefined
          yield* sql`
            update video_playlist set name = ${name}, description = ${description}::text, privacy = ${privacy}::smallint,
              owner_account_id = ${owner}, channel_id = ${channelId}::int,
              channel_position = case when channel_id is not distinct from ${channelId}::int then channel_position
                else ${next} end,
              updated_at = least(coalesce(${updated}::text::timestamptz, updated_at), now())
            where id = ${row.id}`
          yield* setPicture(row.id, playlist.picture)
          yield* seen(row.id)
          return (yield* sql<KeptPlaylist>`${kept} where p.id = ${row.id}`)[0]
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const setElements = Effect.fn("RemotePlaylistRows.setElements")(
        function* (playlistId: number, elements: ReadonlyArray<NewRemoteElement>) {
          const held = yield* sql`select 1 from video_playlist where id = ${playlistId} and remote for no key update`
          if (held.length === 0) return
          yield* sql`delete from video_playlist_element where playlist_id = ${playlistId}`
          yield* sql`
            insert into video_playlist_element (url, playlist_id, video_id, position, start_timestamp, stop_timestamp)
            select e.url, ${playlistId}::int, e."videoId", row_number() over (order by e.place), e.start, e.stop
            from rows from (json_to_recordset(${JSON.stringify(elements)}::text::json)
                as (url text, "videoId" int, start int, stop int)) with ordinality
              as e (url, "videoId", start, stop, place)
            where exists (select from video v where v.id = e."videoId")
            on conflict (url) do nothing`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const touch = (playlistId: number) => withDatabaseErrors(Effect.asVoid(seen(playlistId)))

      const remove = Effect.fn("RemotePlaylistRows.remove")(
        function* (url: string) {
          const gone = yield* sql`delete from video_playlist where url = ${url} and remote returning id`
          return gone.length > 0
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return RemotePlaylistRows.of({ byUrl, upsert, setElements, touch, remove })
    })
  )
}
