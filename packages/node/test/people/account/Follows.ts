import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Writes an account of another instance down, with its actor. */
export const remoteAccount = Effect.fnUntraced(function* (name: string, host: string, displayName: string) {
  const sql = yield* SqlClient
  yield* sql`insert into server (host) values (${host}) on conflict do nothing`
  const actors = yield* sql<{ id: number }>`
    insert into actor (type, preferred_username, server_id, url, inbox_url, public_key, remote_created_at)
    select 'Person', ${name}, id, ${`https://${host}/accounts/${name}`}, ${`https://${host}/inbox`}, 'k', '2015-01-01'
    from server where host = ${host} returning id`
  yield* sql`insert into account (actor_id, display_name) values (${actors[0]!.id}, ${displayName})`
}, Effect.orDie)

/** Writes down that an actor follows another, so many minutes ago. */
export const follow = Effect.fnUntraced(function* (
  follower: string,
  followed: string,
  minutesAgo: number,
  state = "accepted"
) {
  const sql = yield* SqlClient
  yield* sql`
    insert into actor_follow (actor_id, target_actor_id, state, created_at)
    select a.id, b.id, ${state}, now() - make_interval(mins => ${minutesAgo}::int)
    from actor a, actor b where a.preferred_username = ${follower}::citext and b.preferred_username = ${followed}::citext`
}, Effect.orDie)
