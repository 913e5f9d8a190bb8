import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { NewRemoteActor, RemoteActorType } from "./NewRemoteActor.ts"
import { remoteActorWrites } from "./RemoteActorWrites.ts"

/** An actor of another instance, as it is kept. */
export interface RemoteActor {
  /** Row of `actor`. */
  readonly id: number
  readonly url: string
  readonly type: RemoteActorType
  readonly name: string
  /** Host, with its port where it has one. */
  readonly host: string
  readonly serverId: number
  readonly inboxUrl: string
  readonly sharedInboxUrl: string | null
  readonly outboxUrl: string | null
  readonly followersUrl: string | null
  /** Row of `account`, of all but channels. */
  readonly accountId: number | null
  /** Row of `video_channel`: groups that belong to somebody. Other groups, such as communities of Lemmy, are accounts. */
  readonly channelId: number | null
}

/** An actor with what says whether to ask for it again. */
export interface KeptActor extends RemoteActor {
  /** Milliseconds since 1970. */
  readonly fetchedAt: number
}

/** A key as its owner's document has it. */
export interface KeptKey {
  readonly id: string
  readonly kind: "pem" | "multibase"
  readonly value: string
  readonly owner: string
}

/** Actors of other instances: rows of `actor` with a server. Those that are gone are not, even before all of theirs is. */
export class RemoteActorRows extends Context.Service<
  RemoteActorRows,
  {
    readonly byUrl: (url: string) => Effect.Effect<KeptActor | undefined, DatabaseUnavailable>
    /** Those of these that are kept. */
    readonly byUrls: (urls: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KeptActor>, DatabaseUnavailable>
    /** By name and host, of accounts before groups. */
    readonly byName: (name: string, host: string) => Effect.Effect<KeptActor | undefined, DatabaseUnavailable>
    /**
     * Writes what a document says, a channel where there is an owner (row of `account`). Undefined when it cannot be: the
     * address is ours, a channel would become an account or the other way round, or it or its owner is gone.
     */
    readonly upsert: (
      actor: NewRemoteActor,
      ownerAccountId: number | null
    ) => Effect.Effect<KeptActor | undefined, DatabaseUnavailable>
    /** Keys with this id, or, without a fragment, those of the actor at this address. */
    readonly keys: (keyId: string) => Effect.Effect<ReadonlyArray<KeptKey>, DatabaseUnavailable>
    /** Whether people see how many follow it: a channel, whose channels there are, or whom somebody here follows. */
    readonly showsCounts: (actorId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** How many follow it, and how many it follows, by its origin's word; null: not known. */
    readonly setCounts: (
      actorId: number,
      counts: { readonly followers: number | null; readonly following: number | null }
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** The actor was asked for in vain: not again before its time. */
    readonly touch: (actorId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** The instance's own actor and its private key (PEM), which signs what is fetched. */
    readonly instance: Effect.Effect<
      { readonly url: string; readonly privateKey: string } | undefined,
      DatabaseUnavailable
    >
    /** Whether the instance has muted the host. */
    readonly isMuted: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/remote/RemoteActorRows") {
  static readonly layer = Layer.effect(
    RemoteActorRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const kept = sql`
        select a.id, a.url, a.type, a.preferred_username::text as name, s.host::text as host, a.server_id as "serverId",
          a.inbox_url as "inboxUrl", a.shared_inbox_url as "sharedInboxUrl", a.outbox_url as "outboxUrl",
          a.followers_url as "followersUrl", c.id as "accountId", v.id as "channelId",
          (extract(epoch from coalesce(r.fetched_at, 'epoch'::timestamptz)) * 1000)::float8 as "fetchedAt"
        from actor a join server s on s.id = a.server_id
            and not exists (select from actor_departure d where d.actor_id = a.id)
          left join account c on c.actor_id = a.id
          left join video_channel v on v.actor_id = a.id left join remote_actor r on r.actor_id = a.id`

      const byUrl = Effect.fnUntraced(function* (url: string) {
        return (yield* sql<KeptActor>`${kept} where a.url = ${url}`)[0]
      }, withDatabaseErrors)

      const byUrls = (urls: ReadonlyArray<string>) =>
        withDatabaseErrors(sql<KeptActor>`${kept} where a.url = any(${urls}::text[])`)

      const byName = Effect.fnUntraced(function* (name: string, host: string) {
        const rows = yield* sql<KeptActor>`
          ${kept} where a.preferred_username = ${name}::citext and s.host = ${host}::citext
          order by (a.type = 'Group') limit 1`
        return rows[0]
      }, withDatabaseErrors)

      const write = remoteActorWrites(sql)
      const upsert = Effect.fn("RemoteActorRows.upsert")(
        function* (actor: NewRemoteActor, ownerAccountId: number | null) {
          const id = yield* write(actor, ownerAccountId)
          return id === undefined ? undefined : (yield* sql<KeptActor>`${kept} where a.id = ${id}`)[0]
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const keys = Effect.fnUntraced(function* (keyId: string) {
        const hash = keyId.indexOf("#")
        const actorUrl = hash < 0 ? keyId : keyId.slice(0, hash)
        return yield* sql<KeptKey>`
          select k.key_id as id, k.kind, k.value, a.url as owner from actor_key k join actor a on a.id = k.actor_id
          where k.key_id = ${keyId}
          union all
          select k.key_id, k.kind, k.value, a.url from actor a join actor_key k on k.actor_id = a.id
          where a.url = ${actorUrl} and a.url = ${keyId}
          limit 10`
      }, withDatabaseErrors)

      const isMuted = Effect.fnUntraced(function* (host: string) {
        const rows = yield* sql`
          select 1 from server_block b join server s on s.id = b.server_id
            join account c on c.id = b.account_id join actor a on a.id = c.actor_id
          where s.host = ${host}::citext and a.type = 'Application' and a.server_id is null`
        return rows.length > 0
      }, withDatabaseErrors)

      const showsCounts = Effect.fnUntraced(function* (actorId: number) {
        const [row] = yield* sql<{ shows: boolean }>`
          select exists (select from video_channel c where c.actor_id = ${actorId})
            or exists (
              select from account o join video_channel c on c.account_id = o.id where o.actor_id = ${actorId}
            )
            or exists (
              select from actor_follow f where f.target_actor_id = ${actorId} and not f.follower_remote
            ) as shows`
        return row!.shows
      }, withDatabaseErrors)

      const setCounts = Effect.fnUntraced(function* (
        actorId: number,
        { followers, following }: { readonly followers: number | null; readonly following: number | null }
      ) {
        yield* sql`
          update actor a set followers_count = n.followers, following_count = n.following
          from (
            select least(coalesce(${followers}::bigint, followers_count), 2000000000)::integer as followers,
              least(coalesce(${following}::bigint, following_count), 2000000000)::integer as following
            from actor where id = ${actorId}
          ) n
          where a.id = ${actorId} and a.server_id is not null
            and (a.followers_count, a.following_count) is distinct from (n.followers, n.following)`
      }, withDatabaseErrors)

      const touch = Effect.fnUntraced(function* (actorId: number) {
        yield* sql`
          insert into remote_actor (actor_id) values (${actorId}) on conflict (actor_id) do update set fetched_at = now()`
      }, withDatabaseErrors)

      const instance = withDatabaseErrors(
        Effect.map(
          sql<{ url: string; privateKey: string }>`
            select url, private_key as "privateKey" from actor
            where type = 'Application' and server_id is null order by id limit 1`,
          (rows) => rows[0]
        )
      )

      return RemoteActorRows.of({
        ...{ byUrl, byUrls, byName, upsert, keys, showsCounts, setCounts, touch, instance, isMuted }
      })
    })
  )
}
