import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A local actor as it signs. */
export interface Sender {
  /** Null: its row is gone, and the key is what is left of it. */
  readonly id: number | null
  readonly url: string
  readonly followersUrl: string
  /** Kept with the activity of an actor that is gone. */
  readonly privateKey: string | null
}

/** An activity ready to be delivered. */
export interface NewActivity {
  readonly uri: string
  readonly type: string
  readonly sender: Sender
  /** JSON text without context and signature. */
  readonly body: string
  /** Name of its context. */
  readonly context: string
  /** What it is about: activities about one thing reach a host in their order. */
  readonly thing: string | null
  /** 0: follows and their answers; 1: content; 2: ratings; 3: views. */
  readonly lane: 0 | 1 | 2 | 3
  /** Each once. */
  readonly inboxes: ReadonlyArray<string>
  /** Somebody else's document, sent on as it came with its signature. */
  readonly forwarded?: string | undefined
}

/** Beyond so many inboxes one row names them all, and their deliveries are made later. */
const mostDeliveries = 100

/** Writes activities with their deliveries. Everything takes part in the caller's transaction. */
export class ActivityWrites extends Context.Service<
  ActivityWrites,
  {
    /** A local actor; undefined: it is none, or gone. */
    readonly sender: (actorId: number) => Effect.Effect<Sender | undefined, DatabaseUnavailable>
    /** Each distinct (shared) inbox of the remote followers of any of these actors. */
    readonly inboxesOfFollowers: (
      actorIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Whether any of these actors has a follower elsewhere. */
    readonly hasRemoteFollowers: (actorIds: ReadonlyArray<number>) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Addresses of the followers of these actors, each once and in their order. */
    readonly followersUrls: (
      actorIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** This id, or one with a fragment where an activity has had it lately: others take a known id for a known activity. */
    readonly freshUri: (wanted: string) => Effect.Effect<string, DatabaseUnavailable>
    /** Whether an activity has had this id lately. */
    readonly isKnown: (uri: string) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly write: (activity: NewActivity) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/ActivityWrites") {
  static readonly layer = Layer.effect(
    ActivityWrites,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // Whoever removes an actor waits for changes that it has to sign, to leave its key there: nobody waits the other way. Such
      // a change fails, and is processed again with the key.
      const sender = Effect.fnUntraced(function* (actorId: number) {
        const [row] = yield* sql<Sender>`
          select id, url, coalesce(followers_url, url || '/followers') as "followersUrl", null::text as "privateKey"
          from actor where id = ${actorId} and server_id is null for key share nowait`
        return row
      }, withDatabaseErrors)

      const inboxesOfFollowers = Effect.fnUntraced(function* (actorIds: ReadonlyArray<number>) {
        const rows = yield* sql<{ inboxes: ReadonlyArray<string> }>`
          select array(
            select distinct coalesce(a.shared_inbox_url, a.inbox_url)
            from actor_follow f join actor a on a.id = f.actor_id
            where f.target_actor_id = any(${actorIds}::integer[]) and f.follower_remote and f.state = 'accepted'
          ) as inboxes`
        return rows[0]!.inboxes
      }, withDatabaseErrors)

      const hasRemoteFollowers = Effect.fnUntraced(function* (actorIds: ReadonlyArray<number>) {
        const rows = yield* sql<{ has: boolean }>`select has_remote_followers(${actorIds}::integer[]) as has`
        return rows[0]!.has
      }, withDatabaseErrors)

      const followersUrls = Effect.fnUntraced(function* (actorIds: ReadonlyArray<number>) {
        const rows = yield* sql<{ urls: ReadonlyArray<string> }>`
          select array(
            select coalesce(a.followers_url, a.url || '/followers')
            from unnest(${[...new Set(actorIds)]}::integer[]) with ordinality u (id, n) join actor a on a.id = u.id order by u.n
          ) as urls`
        return rows[0]!.urls
      }, withDatabaseErrors)

      const freshUri = Effect.fnUntraced(function* (wanted: string) {
        const rows = yield* sql<{ uri: string }>`
          select case when exists (select from activity where uri = ${wanted})
            then ${wanted} || '#' || (extract(epoch from clock_timestamp()) * 1000000)::bigint else ${wanted} end as uri`
        return rows[0]!.uri
      }, withDatabaseErrors)

      const isKnown = Effect.fnUntraced(function* (uri: string) {
        const rows = yield* sql<{ known: boolean }>`select exists (select from activity where uri = ${uri}) as known`
        return rows[0]!.known
      }, withDatabaseErrors)

      const write = Effect.fnUntraced(function* (activity: NewActivity) {
        const { body, context, forwarded, inboxes, lane, sender, thing, type, uri } = activity
        yield* sql`
          with made as (
            insert into activity (uri, type, actor_id, sender, private_key, body, context, thing, document, forwarded)
            values (${uri}, ${type}, ${sender.id}::integer, ${sender.url}, ${sender.privateKey}::text, ${body}::text::jsonb,
              ${context}, ${thing}::text, ${forwarded ?? null}::text, ${forwarded !== undefined}::boolean)
            returning id
          ), audience as (
            select made.id, i.inboxes, cardinality(i.inboxes) > ${mostDeliveries}::integer or exists (
              select from delivery_fanout f join activity a on a.id = f.activity_id where a.thing = ${thing}::text
            ) as many
            from made, (select ${inboxes}::text[] as inboxes) i
          ), fanned_out as (
            insert into delivery_fanout (activity_id, lane, inboxes)
            select id, ${lane}::smallint, inboxes from audience where many
          ), queued as (
            insert into delivery (activity_id, inbox_url, host, lane)
            select id, i, inbox_host(i), ${lane}::smallint from audience, unnest(inboxes) i where not many
          )
          select pg_notify('delivery', case when many then 'many'
            when cardinality(inboxes) = 1 then ${lane}::integer || ' ' || inbox_host(inboxes[1]) else '' end)
          from audience`
      }, withDatabaseErrors)

      return ActivityWrites.of({
        sender,
        inboxesOfFollowers,
        hasRemoteFollowers,
        followersUrls,
        freshUri,
        isKnown,
        write
      })
    })
  )
}
