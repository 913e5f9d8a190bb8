import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { NewRemoteActor } from "./NewRemoteActor.ts"
import { type FormerParts, remoteActorParts } from "./RemoteActorParts.ts"

/** An actor whose address is known, and what of it differs from what is to be written. */
interface Known extends FormerParts {
  readonly id: number
  readonly serverId: number | null
  readonly type: string
  readonly isChannel: boolean
  /** It has departed: nothing of it is taken any more. */
  readonly isGone: boolean
  readonly hasName: boolean
  readonly ownerDiffers: boolean
  readonly actorDiffers: boolean
}

/** Keys of advisory locks: the address that is written, and the name that is taken. */
const locks = { url: 1_920_298_356, name: 1_920_298_357 }

/**
 * Whether a known actor may not become this one: its address is of another server or ours, it was an account and is a channel now, or
 * the other way round, or it begins or ends to speak for a whole instance, which is settled when it is first seen.
 */
const isAnother = (known: Known, { type }: NewRemoteActor, serverId: number, isChannel: boolean): boolean =>
  known.serverId !== serverId ||
  (known.type === "Group") !== (type === "Group") ||
  (known.type === "Application") !== (type === "Application") ||
  known.isChannel !== isChannel

/**
 * Writes actors of other instances: with their channel where they have an owner, else with their account. To be run in a
 * transaction; owners are locked before actors. Answers the row, or undefined where it cannot be written.
 */
export const remoteActorWrites = (sql: SqlClient) => {
  const setParts = remoteActorParts(sql)

  /** Columns of its row, and what they are to be. */
  const columns =
    sql.literal(`type, preferred_username, inbox_url, outbox_url, shared_inbox_url, followers_url, following_url,
    playlists_url, public_key, remote_created_at, indexable, discoverable`)
  const values = (actor: NewRemoteActor) => sql`
    ${actor.type}::text, ${actor.name}::text, ${actor.inbox}::text, ${actor.outbox}::text, ${actor.sharedInbox}::text,
    ${actor.followers}::text, ${actor.following}::text, ${actor.playlists}::text, ${actor.publicKey}::text,
    ${actor.published}::text::timestamptz, ${actor.indexable ?? true}::boolean, ${actor.discoverable ?? true}::boolean`
  const actorDiffers = (actor: NewRemoteActor) => sql`
    (a.type, a.preferred_username::text, a.inbox_url, a.outbox_url, a.shared_inbox_url, a.followers_url, a.following_url,
      a.playlists_url, a.public_key, a.remote_created_at, a.indexable, a.discoverable) is distinct from (${values(actor)})`
  const ownerDiffers = ({ displayName, email, summary, support }: NewRemoteActor, ownerId: number | null) =>
    ownerId === null
      ? sql`(o.display_name, o.description) is distinct from (${displayName}::text, ${summary}::text)`
      : sql`(c.account_id, c.display_name, c.description, c.support, c.public_email) is distinct from
          (${ownerId}::integer, ${displayName}::text, ${summary}::text, ${support}::text, ${email}::text)`

  const serverOf = Effect.fnUntraced(function* (host: string): Effect.fn.Return<number, SqlError> {
    const find = sql<{ id: number }>`select id from server where host = ${host}::citext`
    const [known] = yield* find
    if (known !== undefined) return known.id
    yield* sql`insert into server (host) values (${host}) on conflict (host) do nothing`
    return (yield* find)[0]!.id
  })

  const lockOwner = Effect.fnUntraced(function* (accountId: number) {
    const rows = yield* sql`select 1 from account where id = ${accountId} for key share`
    return rows.length > 0
  })

  /** Who writes the same actor at the same time is waited for, and seen by the next statement; so is who takes the same name there. */
  const lock = ({ name, url }: NewRemoteActor, serverId: number) => sql`
    select pg_advisory_xact_lock(${locks.url}::integer, hashtext(${url}::text)),
      pg_advisory_xact_lock(${locks.name}::integer, hashtext(${serverId}::integer || '/' || lower(${name}::text)))`

  const knownAt = Effect.fnUntraced(function* (actor: NewRemoteActor, ownerId: number | null) {
    const rows = yield* sql<Known>`
      select a.id, a.server_id as "serverId", a.type, c.id is not null as "isChannel",
        exists (select from actor_departure d where d.actor_id = a.id) as "isGone",
        a.preferred_username = ${actor.name}::citext as "hasName",
        ${ownerDiffers(actor, ownerId)} as "ownerDiffers", ${actorDiffers(actor)} as "actorDiffers",
        (
          select coalesce(json_agg(json_build_object('type', i.type, 'url', i.remote_url, 'width', i.width, 'height', i.height)
            order by i.id), '[]') from actor_image i where i.actor_id = a.id
        ) as pictures,
        (
          select coalesce(json_agg(json_build_object('id', k.key_id, 'kind', k.kind, 'value', k.value) order by k.id), '[]')
          from actor_key k where k.actor_id = a.id
        ) as keys
      from actor a left join account o on o.actor_id = a.id left join video_channel c on c.actor_id = a.id
      where a.url = ${actor.url}`
    return rows[0]
  })

  const named = Effect.fnUntraced(function* (name: string, serverId: number, isGroup: boolean) {
    const rows = yield* sql<{ id: number; name: string }>`
      select id, preferred_username::text as name from actor
      where preferred_username = ${name}::citext and server_id = ${serverId} and (type = 'Group') = ${isGroup}::boolean`
    return rows[0]
  })

  /** A name that was given anew there: who had it before keeps all but the name. */
  const freeName = Effect.fnUntraced(function* ({ name, type }: NewRemoteActor, serverId: number) {
    const isGroup = type === "Group"
    const former = yield* named(name, serverId, isGroup)
    if (former === undefined) return
    let renamed = former.name
    do renamed = `${renamed}-${former.id}`
    while ((yield* named(renamed, serverId, isGroup)) !== undefined)
    yield* sql`update actor set preferred_username = ${renamed} where id = ${former.id}`
  })

  const insert = Effect.fnUntraced(function* (actor: NewRemoteActor, serverId: number, ownerId: number | null) {
    const { displayName, email, summary, support, url } = actor
    const rows = yield* sql<{ id: number }>`
      insert into actor (server_id, url, ${columns}) values (${serverId}, ${url}, ${values(actor)}) returning id`
    const { id } = rows[0]!
    yield* ownerId === null
      ? sql`insert into account (actor_id, display_name, description) values (${id}, ${displayName}, ${summary})`
      : sql`
          insert into video_channel (actor_id, account_id, display_name, description, support, public_email)
          values (${id}, ${ownerId}, ${displayName}, ${summary}, ${support}, ${email})`
    return id
  })

  const lockChannel = (actorId: number) =>
    sql`select 1 from video_channel where actor_id = ${actorId} for no key update`

  const updateOwner = Effect.fnUntraced(function* (id: number, actor: NewRemoteActor, ownerId: number | null) {
    const { displayName, email, summary, support } = actor
    if (ownerId === null) {
      return yield* sql`
        update account o set display_name = ${displayName}, description = ${summary}, updated_at = now()
        where o.actor_id = ${id} and ${ownerDiffers(actor, ownerId)}`
    }
    return yield* sql`
      update video_channel c set account_id = ${ownerId}, display_name = ${displayName}, description = ${summary},
        support = ${support}, public_email = ${email}, updated_at = now()
      where c.actor_id = ${id} and ${ownerDiffers(actor, ownerId)}`
  })

  const updateActor = (id: number, actor: NewRemoteActor) => sql`
    update actor a set (${columns}) = (${values(actor)}), updated_at = now() where a.id = ${id} and ${actorDiffers(actor)}`

  const remember = (id: number, { alsoKnownAs, movedTo, page }: NewRemoteActor) => sql`
    insert into remote_actor (actor_id, page_url, moved_to, also_known_as)
    values (${id}, ${page}, ${movedTo}, ${alsoKnownAs}::text[])
    on conflict (actor_id) do update set fetched_at = now(), page_url = excluded.page_url, moved_to = excluded.moved_to,
      also_known_as = excluded.also_known_as`

  return Effect.fnUntraced(function* (
    actor: NewRemoteActor,
    ownerId: number | null
  ): Effect.fn.Return<number | undefined, SqlError> {
    const serverId = yield* serverOf(actor.host)
    if (ownerId !== null && !(yield* lockOwner(ownerId))) return undefined
    yield* lock(actor, serverId)
    const known = yield* knownAt(actor, ownerId)
    if (known !== undefined && (known.isGone || isAnother(known, actor, serverId, ownerId !== null))) return undefined
    if (known?.hasName !== true) yield* freeName(actor, serverId)
    const id = known === undefined ? yield* insert(actor, serverId, ownerId) : known.id
    if (known?.isChannel === true) yield* lockChannel(id)
    if (known?.ownerDiffers === true) yield* updateOwner(id, actor, ownerId)
    if (known?.actorDiffers === true) yield* updateActor(id, actor)
    yield* setParts(id, actor, known)
    yield* remember(id, actor)
    return id
  })
}
