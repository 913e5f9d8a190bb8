import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { type ActorKind, ofKind } from "./ActorObjects.ts"

/** Part of a collection of addresses. */
export interface CollectionFound {
  readonly url: string
  readonly total: number
  readonly items: ReadonlyArray<string>
}

/** Which items: as many as `size` after the first `offset`. */
export interface Slice {
  readonly offset: number
  readonly size: number
}

export type ActorCollection = "followers" | "following" | "playlists"

interface Parts {
  /** Of the collection of the actor `a`. */
  readonly total: string
  /**
   * Rows with the address `item` in the order of `n`, after $2 of them and as many as `size`. That is written out: plans
   * are made without knowing values, and one for ten rows is another than one for a tenth of all.
   */
  readonly rows: (size: number) => string
}

/** Which actors, of the table `actor` with the alias `a`, are of a kind. */
export const ofOwner = (kind: ActorKind | "instance"): string =>
  kind === "instance" ? "a.type = 'Application'" : `${ofKind[kind]} and a.type <> 'Application'`

const follows = (mine: string, theirs: string, count: string): Parts => ({
  total: `a.${count}`,
  rows: (size) => `
    select o.url as item, row_number() over (order by f.id) as n from (
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
    select p.url as item, row_number() over (order by p.created_at desc, p.id desc) as n
    ${playlistsOf(kind)} order by p.created_at desc, p.id desc offset $2 limit ${size}`
})

const partsOf = (collection: ActorCollection, kind: ActorKind | "instance"): Parts => {
  switch (collection) {
    case "followers":
      return follows("target_actor_id", "actor_id", "followers_count")
    case "following":
      return follows("actor_id", "target_actor_id", "following_count")
    case "playlists":
      return playlists(kind === "channel" ? "channel" : "account")
  }
}

/** Behind the end nothing is looked for. */
const statement = (collection: ActorCollection, kind: ActorKind | "instance", size: number): string => {
  const { rows, total } = partsOf(collection, kind)
  return `
    select a.url || '/${collection}' as url, a.total::int as total,
      case when $2::int < a.total then array(select i.item from (${rows(size)}) i order by i.n) else '{}' end as items
    from (
      select a.*, ${total} as total from actor a
      where a.preferred_username = $1::citext and a.server_id is null and ${ofOwner(kind)}
    ) a`
}

/** Collections of actors of this instance, as other instances read them. */
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
