import type { SqlClient } from "effect/sql/SqlClient"

/** The public address of the instance: wire shapes carry absolute URLs and the local host. */
export interface PublicAddress {
  /** `https://videos.example`, without a slash at the end. */
  readonly origin: string
  /** `videos.example`, with a port where it is not the scheme's own. */
  readonly host: string
}

const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const folders = { 1: "avatars", 2: "banners" } as const

/**
 * SQL expressions for accounts and channels as clients read them (contract: Account, VideoChannel, ActorImage), so that
 * the database gives JSON text that is answered as it is.
 */
export const actorWire = (sql: SqlClient, address: PublicAddress) => {
  const images = (actor: string, type: 1 | 2) => sql`(
    select coalesce(json_agg(json_build_object(
      'path', ${`/lazy-static/${folders[type]}/`}::text || i.filename,
      'fileUrl', coalesce(i.remote_url, ${`${address.origin}/lazy-static/${folders[type]}/`}::text || i.filename),
      'width', i.width, 'height', i.height,
      'createdAt', ${sql.literal(time("i.created_at"))}, 'updatedAt', ${sql.literal(time("i.updated_at"))}
    ) order by i.width desc), '[]'::json)
    from actor_image i where i.actor_id = ${sql.literal(actor)}.id and i.type = ${sql.literal(String(type))}
  )`

  const shared = (actor: string, server: string, owner: string) => sql`
    'id', ${sql.literal(owner)}.id,
    'url', ${sql.literal(actor)}.url,
    'name', ${sql.literal(actor)}.preferred_username,
    'host', coalesce(${sql.literal(server)}.host::text, ${address.host}::text),
    'avatars', ${images(actor, 1)},
    'hostRedundancyAllowed', coalesce(${sql.literal(server)}.redundancy_allowed, false),
    'followingCount', ${sql.literal(actor)}.following_count,
    'followersCount', ${sql.literal(actor)}.followers_count,
    'createdAt', ${sql.literal(time(`coalesce(${actor}.remote_created_at, ${actor}.created_at)`))},
    'updatedAt', ${sql.literal(time(`${owner}.updated_at`))},
    'displayName', ${sql.literal(owner)}.display_name,
    'description', ${sql.literal(owner)}.description`

  /** Over `account a join actor aa left join server sa`. */
  const account = sql`json_build_object(${shared("aa", "sa", "a")}, 'userId', a.user_id)`

  /** Over `video_channel c join actor ac left join server sc` and what `account` needs. */
  const channel = sql`json_build_object(
    ${shared("ac", "sc", "c")},
    'support', c.support, 'publicEmail', c.public_email, 'isLocal', ac.server_id is null,
    'banners', ${images("ac", 2)},
    'ownerAccountId', c.account_id,
    'ownerAccount', ${account}
  )`

  return { account, channel }
}
