import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { CollectionFound, Slice } from "./ActorCollections.ts"
import { keyOf, named } from "./ObjectFound.ts"

export type VideoCollection = "announces" | "likes" | "dislikes" | "comments"

/** As `CollectionFound`; of a remote video only `elsewhere` means anything. */
export interface VideoCollectionFound extends CollectionFound {
  readonly shown: boolean
  readonly elsewhere: string | null
}

interface Parts {
  readonly total: string
  /** As those of actors. */
  readonly rows: (size: number) => string
}

const rates = (type: "like" | "dislike"): Parts => ({
  total: `v.${type}s`,
  rows: (size) => `
    select coalesce(r.url, a.url || '/${type}s/' || v.id) as item, r.account_id as n from (
      select r.url, r.account_id from account_video_rate r
      where r.video_id = v.id and r.type = '${type}' order by r.account_id offset $2 limit ${size}
    ) r join account o on o.id = r.account_id join actor a on a.id = o.actor_id`
})

/** Its channel and the instance pass on what is public; others say so. */
const announces = `
  select v.url || '/announces/' || c.actor_id as url, 0 as n from video_channel c where c.id = v.channel_id and v.privacy = 1
  union all
  select v.url || '/announces/' || a.id, 1 from actor a
    where a.type = 'Application' and a.server_id is null and v.privacy = 1
  union all
  select s.url, s.id + 1 from video_share s join actor a on a.id = s.actor_id
    where s.video_id = v.id and a.server_id is not null`

const parts: Readonly<Record<VideoCollection, Parts>> = {
  likes: rates("like"),
  dislikes: rates("dislike"),
  comments: {
    total: "v.comments",
    rows: (size) => `
      select c.url as item, row_number() over (order by c.created_at, c.id) as n from video_comment c
      where c.video_id = v.id and not c.held_for_review and c.deleted_at is null
      order by c.created_at, c.id offset $2 limit ${size}`
  },
  announces: {
    total: `(select count(*) from (${announces}) s)`,
    rows: (size) => `select s.url as item, s.n from (${announces}) s order by s.n offset $2 limit ${size}`
  }
}

const statement = (id: VideoIdOrUuid, collection: VideoCollection, size: number): string => {
  const { rows, total } = parts[collection]
  return `
    select v.url || '/${collection}' as url, v.shown, v.total::int as total,
      case when v.remote and v.privacy in (1, 2) then v.url end as elsewhere,
      case when v.shown and $2::int < v.total
        then array(select i.item from (${rows(size)}) i order by i.n) else '{}' end as items
    from (
      select v.*, ${total} as total, not v.remote and video_is_dereferenced(v.id) as shown
      from video v where ${named(id, "v")}
    ) v`
}

/** Collections below videos, as other instances read them. */
export class VideoCollections extends Context.Service<
  VideoCollections,
  {
    readonly read: (
      id: VideoIdOrUuid,
      collection: VideoCollection,
      slice: Slice
    ) => Effect.Effect<Option.Option<VideoCollectionFound>, DatabaseUnavailable>
  }
>()("@kinora/storage/activitypub/VideoCollections") {
  static readonly layer = Layer.effect(
    VideoCollections,
    Effect.map(SqlClient, (sql) =>
      VideoCollections.of({
        read: (id, collection, { offset, size }) =>
          withDatabaseErrors(
            Effect.map(sql.unsafe<VideoCollectionFound>(statement(id, collection, size), [keyOf(id), offset]), (rows) =>
              Option.fromUndefinedOr(rows[0])
            )
          )
      })
    )
  )
}
