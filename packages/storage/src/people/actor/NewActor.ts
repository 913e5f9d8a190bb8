import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** An Ed25519 key pair: `publicKeyMultibase` (FEP-521a), and PKCS #8 in PEM. */
export interface NewMultikey {
  readonly multibase: string
  readonly privateKey: string
}

/** A local actor to write: its URLs and its key pair (SPKI and PKCS #8, PEM). */
export interface NewActor {
  readonly type: "Person" | "Group" | "Application"
  readonly preferredUsername: string
  readonly url: string
  readonly inboxUrl: string
  readonly outboxUrl: string
  readonly sharedInboxUrl: string
  readonly followersUrl: string
  readonly followingUrl: string
  readonly playlistsUrl: string
  readonly publicKey: string
  readonly privateKey: string
  /** If absent, it is created later. */
  readonly multikey?: NewMultikey
}

/** Writes the second key of a local actor, if it has none. */
export const insertMultikey = (
  sql: SqlClient,
  actorId: number,
  { multibase, privateKey }: NewMultikey
): Effect.Effect<unknown, SqlError> => sql`
  insert into actor_multikey (actor_id, multibase, private_key)
  select id, ${multibase}::text, ${privateKey}::text from actor where id = ${actorId} and server_id is null
  on conflict do nothing`

/** Writes a local actor in the caller's transaction and returns its row id. */
export const insertLocalActor = Effect.fnUntraced(function* (
  sql: SqlClient,
  actor: NewActor
): Effect.fn.Return<number, SqlError> {
  const rows = yield* sql<{ id: number }>`
    insert into actor (type, preferred_username, url, inbox_url, outbox_url, shared_inbox_url, followers_url,
      following_url, playlists_url, public_key, private_key)
    values (${actor.type}, ${actor.preferredUsername}, ${actor.url}, ${actor.inboxUrl}, ${actor.outboxUrl},
      ${actor.sharedInboxUrl}, ${actor.followersUrl}, ${actor.followingUrl}, ${actor.playlistsUrl},
      ${actor.publicKey}, ${actor.privateKey})
    returning id
  `
  const { id } = rows[0]!
  if (actor.multikey !== undefined) yield* insertMultikey(sql, id, actor.multikey)
  return id
})

/** Writes the account of an actor. `userId` is null for the application actor. */
export const insertAccount = Effect.fnUntraced(function* (
  sql: SqlClient,
  account: { readonly actorId: number; readonly userId: number | null; readonly displayName: string }
): Effect.fn.Return<number, SqlError> {
  const rows = yield* sql<{ id: number }>`
    insert into account (actor_id, user_id, display_name)
    values (${account.actorId}, ${account.userId}::int, ${account.displayName})
    returning id
  `
  return rows[0]!.id
})
