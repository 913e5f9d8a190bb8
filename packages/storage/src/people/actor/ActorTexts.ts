import type { Account } from "@kinora/domain/wire/Account"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { accountInFull, type ActorRow, channelInFull } from "./ActorJson.ts"

/** Its value are actors: selects them and those of the accounts that own them where they are channels. */
const statement = `
  with wanted as materialized (
    select unnest($1::int[]) as id
    union
    select a.actor_id from video_channel h join account a on a.id = h.account_id where h.actor_id = any($1::int[])
  )
  select a.id as "actorId", (select wire_origin()) as origin, a.url, a.preferred_username::text as name, s.host::text as host,
    coalesce(s.redundancy_allowed, false) as "hostRedundancyAllowed", a.following_count as "followingCount",
    a.followers_count as "followersCount", wire_time(coalesce(a.remote_created_at, a.created_at)) as "createdAt",
    wire_time(greatest(a.updated_at, c.updated_at, h.updated_at)) as "updatedAt",
    coalesce((
      select json_agg(i) from (
        select type, filename, width, height, wire_time(created_at) as "createdAt", wire_time(updated_at) as "updatedAt"
        from actor_image where actor_id = a.id order by width desc
      ) i
    ), '[]') as images,
    c.id as "accountId", c.user_id as "userId", h.id as "channelId", h.support, h.public_email as "publicEmail",
    o.actor_id as "ownerActorId",
    coalesce(c.display_name, h.display_name, a.preferred_username::text) as "displayName",
    coalesce(c.description, h.description) as description
  from wanted w join actor a on a.id = w.id left join server s on s.id = a.server_id
    left join account c on c.actor_id = a.id left join video_channel h on h.actor_id = a.id
    left join account o on o.id = h.account_id`

/** These actors by id, and the owners of those that are channels. */
export const actorRows = (sql: SqlClient, actorIds: ReadonlyArray<number>) =>
  Effect.map(
    sql.unsafe<ActorRow>(statement, [actorIds]),
    (rows): ReadonlyMap<number, ActorRow> => new Map(rows.map((row) => [row.actorId, row]))
  )

/** The account of an actor; undefined when it stands for none. */
export const accountOf = (rows: ReadonlyMap<number, ActorRow>, actorId: number): Account | undefined => {
  const row = rows.get(actorId)
  return row === undefined || row.accountId === null ? undefined : accountInFull(row, row.accountId)
}

/** The channel of an actor, with the account that owns it; undefined when it stands for none. */
export const channelOf = (rows: ReadonlyMap<number, ActorRow>, actorId: number) => {
  const row = rows.get(actorId)
  if (row === undefined || row.channelId === null || row.ownerActorId === null) return undefined
  const ownerAccount = accountOf(rows, row.ownerActorId)
  return ownerAccount && channelInFull(row, row.channelId, ownerAccount)
}

/** Texts of these actors, made from rows (contract: Account, VideoChannel), by id. */
export const makeActorTexts = (sql: SqlClient, actorIds: ReadonlyArray<number>) =>
  Effect.map(actorRows(sql, actorIds), (rows): ReadonlyMap<number, string> => {
    const texts = new Map<number, string>()
    for (const id of actorIds) {
      const actor = accountOf(rows, id) ?? channelOf(rows, id)
      // An actor that is neither has an empty text.
      if (rows.has(id)) texts.set(id, actor === undefined ? "" : JSON.stringify(actor))
    }
    return texts
  })

/** What `actor_read_model` says of an actor: null where its text is not kept at the moment. */
export interface KeptActorText {
  readonly actorId: number
  readonly text: string | null
}

/** The text of each row in order; those that are not kept are made from rows in one more statement. */
export const actorTexts = Effect.fnUntraced(function* (sql: SqlClient, rows: ReadonlyArray<KeptActorText>) {
  const missing = rows.filter(({ text }) => text === null).map(({ actorId }) => actorId)
  if (missing.length === 0) return rows.map(({ text }) => text ?? "")
  const made = yield* makeActorTexts(sql, missing)
  return rows.map(({ actorId, text }) => text ?? made.get(actorId) ?? "")
})
