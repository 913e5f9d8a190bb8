import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { NewRemoteActor, RemotePicture } from "./NewRemoteActor.ts"

/** Types of pictures (contract: ActorImageType). */
const types = { avatars: 1, banners: 2 } as const

type Key = NewRemoteActor["keys"][number]

/** What a known actor has, in its order. */
export interface FormerParts {
  readonly pictures: ReadonlyArray<RemotePicture & { readonly type: number }>
  readonly keys: ReadonlyArray<Key>
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const pictureOf = ({ height, url, width }: RemotePicture) => ({ url, width, height })

const keyOf = ({ id, kind, value }: Key) => ({ id, kind, value })

/** The first of each id: a document may name a key twice. */
const distinct = (keys: ReadonlyArray<Key>): ReadonlyArray<Key> => {
  const known = new Set<string>()
  return keys.filter(({ id }) => !known.has(id) && known.add(id))
}

/** SQL: whether a key's id is below an actor's address, and so nobody else's. */
const isBelow = (keyId: string, url: string): string =>
  `(${keyId} = ${url} or starts_with(${keyId}, ${url} || '#') or starts_with(${keyId}, ${url} || '/'))`

/** Writes pictures and keys of actors elsewhere, in the caller's transaction: nothing where they are those of before. */
export const remoteActorParts = (sql: SqlClient) => {
  const setPictures = Effect.fnUntraced(function* (
    actorId: number,
    type: 1 | 2,
    given: ReadonlyArray<RemotePicture>,
    former: ReadonlyArray<RemotePicture>
  ) {
    if (same(given.map(pictureOf), former.map(pictureOf))) return
    if (former.length > 0) yield* sql`delete from actor_image where actor_id = ${actorId} and type = ${type}`
    if (given.length === 0) return
    yield* sql`
      insert into actor_image (actor_id, type, filename, width, height, remote_url)
      select ${actorId}::integer, ${type}::smallint, gen_random_uuid() || '.jpg', width, height, url
      from unnest(${given.map(({ width }) => width)}::integer[], ${given.map(({ height }) => height)}::integer[],
        ${given.map(({ url }) => url)}::text[]) with ordinality p (width, height, url, n) order by n`
  })

  const setKeys = Effect.fnUntraced(function* (actorId: number, given: ReadonlyArray<Key>, former: ReadonlyArray<Key>) {
    if (same(given.map(keyOf), former.map(keyOf))) return
    if (former.length > 0) yield* sql`delete from actor_key where actor_id = ${actorId}`
    const keys = distinct(given)
    if (keys.length === 0) return
    // A key that is another actor's stays that actor's, unless only this one's address says whose it is.
    yield* sql`
      insert into actor_key as k (actor_id, key_id, kind, value)
      select ${actorId}::integer, key_id, kind, value
      from unnest(${keys.map(({ id }) => id)}::text[], ${keys.map(({ kind }) => kind)}::text[],
        ${keys.map(({ value }) => value)}::text[]) with ordinality g (key_id, kind, value, n) order by n
      on conflict (key_id) do update set actor_id = excluded.actor_id, kind = excluded.kind, value = excluded.value
        where ${sql.literal(isBelow("excluded.key_id", "(select url from actor where id = excluded.actor_id)"))}
          and not ${sql.literal(isBelow("k.key_id", "(select url from actor where id = k.actor_id)"))}`
  })

  return Effect.fnUntraced(function* (
    actorId: number,
    { avatars, banners, keys }: NewRemoteActor,
    former: FormerParts = { pictures: [], keys: [] }
  ) {
    const ofType = (type: number) => former.pictures.filter((it) => it.type === type)
    yield* setPictures(actorId, types.avatars, avatars, ofType(types.avatars))
    yield* setPictures(actorId, types.banners, banners, ofType(types.banners))
    yield* setKeys(actorId, keys, former.keys)
  })
}
