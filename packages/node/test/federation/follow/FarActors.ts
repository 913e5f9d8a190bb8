import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"

/** An actor of another instance as it is kept here, with the account or channel that goes with it; its row id. */
export const farActor = Effect.fnUntraced(function* (
  name: string,
  options: {
    readonly type?: "Person" | "Group" | "Application"
    readonly host?: string
    readonly url?: string
    readonly inbox?: string
    readonly outbox?: string
  } = {}
): Effect.fn.Return<number, SqlError, SqlClient> {
  const sql = yield* SqlClient
  const { host = "far.example", type = "Person" } = options
  const url = options.url ?? `https://${host}/${type === "Group" ? "video-channels" : "accounts"}/${name}`
  yield* sql`insert into server (host) values (${host}) on conflict do nothing`
  const [row] = yield* sql<{ id: number }>`
    insert into actor (type, preferred_username, server_id, url, inbox_url, outbox_url, public_key)
    select ${type}, ${name}, s.id, ${url}, ${options.inbox ?? `${url}/inbox`}, ${options.outbox ?? `${url}/outbox`}, 'k'
    from server s where s.host = ${host} returning id`
  const { id } = row!
  if (type === "Group") {
    const owner = yield* farActor(`${name}_owner`, { host })
    yield* sql`
      insert into video_channel (actor_id, account_id, display_name)
      select ${id}, c.id, ${name} from account c where c.actor_id = ${owner}`
  } else yield* sql`insert into account (actor_id, display_name) values (${id}, ${name})`
  return id
}, Effect.orDie)

export const actorId = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{
    id: number
  }>`select id from actor where preferred_username = ${name} and server_id is null`
  return row!.id
}, Effect.orDie)

/** A follow as lists show it, as far as tests look. */
export interface ShownFollow {
  readonly state: string
  readonly score: number
  readonly follower: { readonly name: string; readonly host: string }
  readonly following: { readonly name: string; readonly host: string }
}

/** What waits to be told others: type, address of its object (or of what a Follow is for), inbox. */
export const told = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* (yield* Outbox).drain
  const rows = yield* sql<{ type: string; thing: string; inbox: string }>`
    select a.type, coalesce(a.body -> 'object' ->> 'id', a.body ->> 'object') as thing, d.inbox_url as inbox
    from activity a join delivery d on d.activity_id = a.id order by a.id`
  yield* sql`delete from activity`
  return rows.map(({ inbox, thing, type }) => `${type} ${thing} to ${inbox}`)
}).pipe(Effect.orDie)
