import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { usingNewObjects } from "../../video/write/NewObjects.ts"
import { readRemoteTorrentName } from "../../video/access/RemoteTorrents.ts"
import { keepObjects } from "../../platform/objects/ObjectIntents.ts"

/** Kinds of files of others that are copied. */
export type CopiedBucket = "thumbnails" | "avatars" | "storyboards" | "captions" | "torrents"

/** Where a file is at its origin; a picture has its size in pixels, a torrent its info hash. */
export interface CopySource {
  readonly url: string
  readonly width: number | null
  readonly height: number | null
  readonly infoHash?: string
}

/** Copies of pictures, captions and torrents of others: what they are copies of, and which there are. */
export class RemoteCopyRows extends Context.Service<
  RemoteCopyRows,
  {
    /** What of others has this name here; undefined for what is ours, and for names nothing has. */
    readonly source: (bucket: CopiedBucket, name: string) => Effect.Effect<CopySource | undefined, DatabaseUnavailable>
    /** Runs work that stores a copy; when it fails the copy is removed. */
    readonly storing: <A, E, R>(
      bucket: CopiedBucket,
      name: string,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
    /** Counts a stored copy of so many bytes, and queues the oldest for removal where there are more than `most`. */
    readonly stored: (
      bucket: CopiedBucket,
      name: string,
      size: number,
      most: number
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/remote/RemoteCopyRows") {
  static readonly layer = Layer.effect(
    RemoteCopyRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const sourceIn = (bucket: CopiedBucket, name: string) => {
        switch (bucket) {
          case "thumbnails":
            return sql<CopySource>`
              select remote_url as url, width, height from thumbnail where filename = ${name} and remote_url is not null
              union all
              select remote_url, width, height from video_playlist_thumbnail
              where filename = ${name} and remote_url is not null`
          case "avatars":
            return sql<CopySource>`
              select remote_url as url, width, height from actor_image where filename = ${name} and remote_url is not null`
          case "storyboards":
            return sql<CopySource>`
              select remote_url as url, total_width as width, total_height as height from storyboard
              where filename = ${name} and remote_url is not null`
          case "captions":
            return sql<CopySource>`
              select remote_url as url, null::integer as width, null::integer as height from video_caption
              where filename = ${name} and remote_url is not null`
          case "torrents": {
            const { id, infoHash } = readRemoteTorrentName(name) ?? { id: 0, infoHash: "" }
            return sql<CopySource>`
              select torrent_url as url, null::integer as width, null::integer as height, info_hash as "infoHash"
              from video_file where id = ${id} and info_hash = ${infoHash} and torrent_url is not null`
          }
        }
      }

      const source = Effect.fnUntraced(function* (bucket: CopiedBucket, name: string) {
        return (yield* sourceIn(bucket, name))[0]
      }, withDatabaseErrors)

      const stored = Effect.fn("RemoteCopyRows.stored")(
        function* (bucket: CopiedBucket, name: string, size: number, most: number) {
          yield* sql`
            insert into remote_copy (bucket, name, size) values (${bucket}, ${name}, ${size})
            on conflict (bucket, name) do update set size = excluded.size, made_at = now()`
          // What it shows may have gone while it was fetched: then the copy stays on the queue.
          if ((yield* sourceIn(bucket, name)).length > 0) yield* keepObjects(sql, [{ bucket, name }])
          yield* sql`
            with oldest as (
              delete from remote_copy where (bucket, name) in (
                select bucket, name from remote_copy where bucket = ${bucket} order by made_at desc offset ${most}
                for update skip locked
              ) returning bucket, name
            )
            insert into object_removal (bucket, name) select bucket, name from oldest`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return RemoteCopyRows.of({
        source,
        storing: (bucket, name, work) => usingNewObjects(sql, [{ bucket, name }], work),
        stored
      })
    })
  )
}
