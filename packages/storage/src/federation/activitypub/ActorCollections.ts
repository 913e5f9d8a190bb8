import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { type ActorKind, ofKind } from "./ActorObjects.ts"

/** Part of a collection: `items` is JSON text, without brackets; null when there are none. */
export interface CollectionFound {
  readonly url: string
  readonly total: number
  readonly items: string | null
}

/** Which items: as many as `size` after the first `offset`. */
export interface Slice {
  readonly offset: number
  readonly size: number
}

export type ActorCollection = "followers" | "following" | "playlists" | "outbox"

interface Parts {
  /** Of the collection of the actor `a`. */
  readonly total: string
  /**
   * Rows with the JSON text `item` in the order of `n`, after $2 of them and as many as `size`. That is written out: plans
   * are made without knowing values, and one for ten rows is another than one for a tenth of all.
   */
  readonly rows: (size: number) => string
}

const follows = (mine: string, theirs: string, count: string): Parts => ({
  total: `a.${count}`,
  rows: (size) => `
    select to_json(o.url)::text as item, row_number() over (order by f.id) as n from (
      select f.id, f.${theirs} as actor_id from actor_follow f
      where f.${mine} = a.id and f.state = 'accepted' order by f.id offset $2 limit ${size}
    ) f join actor o on o.id = f.actor_id`
})

const playlistsOf = (kind: ActorKind): string =>
  kind === "account"
    ? "from video_playlist p join account o on o.id = p.owner_account_id where o.actor_id = a.id and p.privacy = 1"
    : "from video_playlist p join video_channel c on c.id = p.channel_id where c.actor_id = a.id and p.privacy = 1"

const playlists = (kind: ActorKind): Parts => ({
  total: `(select count(*) ${playlistsOf(kind)})`,
  rows: (size) => `
    select to_json(p.url)::text as item, row_number() over (order by p.created_at desc, p.id desc) as n
    ${playlistsOf(kind)} order by p.created_at desc, p.id desc offset $2 limit ${size}`
})

const publicVideos = (whose: string, size: number): string => `
  select v.id, v.published_at from video v
  where ${whose} and v.visible = 2 and not v.remote order by v.published_at desc, v.id desc offset $2 limit ${size}`

const ordered = "row_number() over (order by p.published_at desc, p.id desc) as n"

const announced = (whose: string, total: string): Parts => ({
  total,
  rows: (size) => `select ap_announce(p.id, a.id) as item, ${ordered} from (${publicVideos(whose, size)}) p`
})

const ownVideos: Parts = {
  total: `coalesce((select sum(t.change) from owner_total t join account o on o.id = t.account_id
    where o.actor_id = a.id and t.visible = 2 and not t.remote), 0)`,
  rows: (size) => `
    select '{' || ap_audience(a.url, true) || ',"type":"Create","id":' || to_json(v.url || '/activity') || ',"actor":'
      || to_json(a.url) || ',"object":' || coalesce(w.object, ap_video(v.id)) || '}' as item, ${ordered}
    from (${publicVideos("v.account_id = (select id from account where actor_id = a.id)", size)}) p
    join video v on v.id = p.id left join video_wire w on w.video_id = v.id`
}

const channelVideos = "v.channel_id = (select id from video_channel where actor_id = a.id)"

/** What the instance passes on is all that is public here. */
const outboxes: Readonly<Record<ActorKind | "instance", Parts>> = {
  account: ownVideos,
  channel: announced(
    channelVideos,
    `(select count(*) from video v where ${channelVideos} and v.visible = 2 and not v.remote)`
  ),
  instance: announced("true", "coalesce((select sum(change) from video_total where visible = 2 and not remote), 0)")
}

const partsOf = (collection: ActorCollection, kind: ActorKind | "instance"): Parts => {
  switch (collection) {
    case "followers":
      return follows("target_actor_id", "actor_id", "followers_count")
    case "following":
      return follows("actor_id", "target_actor_id", "following_count")
    case "playlists":
      return playlists(kind === "channel" ? "channel" : "account")
    case "outbox":
      return outboxes[kind]
  }
}

/** Behind the end nothing is looked for. */
const statement = (collection: ActorCollection, kind: ActorKind | "instance", size: number): string => {
  const { rows, total } = partsOf(collection, kind)
  const which = kind === "instance" ? "a.type = 'Application'" : `${ofKind[kind]} and a.type <> 'Application'`
  return `
    select a.url || '/${collection}' as url, a.total::int as total,
      case when $2::int < a.total then (select string_agg(i.item, ',' order by i.n) from (${rows(size)}) i) end as items
    from (
      select a.*, ${total} as total from actor a
      where a.preferred_username = $1::citext and a.server_id is null and ${which}
    ) a`
}

/** Collections of actors of this instance, as other servers read them. */
export class ActorCollections extends Context.Service<
  ActorCollections,
  {
    readonly read: (
      name: string,
      kind: ActorKind | "instance",
      collection: ActorCollection,
      slice: Slice
    ) => Effect.Effect<Option.Option<CollectionFound>, DatabaseUnavailable>
  }
>()("@kinora/storage/activitypub/ActorCollections") {
  static readonly layer = Layer.effect(
    ActorCollections,
    Effect.map(SqlClient, (sql) =>
      ActorCollections.of({
        read: (name, kind, collection, { offset, size }) =>
          withDatabaseErrors(
            Effect.map(sql.unsafe<CollectionFound>(statement(collection, kind, size), [name, offset]), (rows) =>
              Option.fromUndefinedOr(rows[0])
            )
          )
      })
    )
  )
}
