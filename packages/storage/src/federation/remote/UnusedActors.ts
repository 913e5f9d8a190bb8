import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Accounts that are forgotten in one transaction. */
const batch = 200

/** Accounts that nothing hangs on: whoever sends anything has a row. */
const isUnused = `
  not exists (select from actor_departure d where d.actor_id = a.id)
  and not exists (select from video v where v.account_id = o.id)
  and not exists (select from video_comment c where c.account_id = o.id)
  and not exists (select from account_video_rate t where t.account_id = o.id)
  and not exists (select from video_playlist p where p.owner_account_id = o.id)
  and not exists (select from account_block b where o.id in (b.account_id, b.target_account_id))
  and not exists (select from abuse b where b.reporter_account_id = o.id)
  and not exists (select from abuse b where b.flagged_account_id = o.id)
  and not exists (
    select from (select a.id union all select h.actor_id from video_channel h where h.account_id = o.id) x (id)
    where exists (select from actor_follow f where f.actor_id = x.id)
      or exists (select from actor_follow f where f.target_actor_id = x.id)
      or exists (select from video_share s where s.actor_id = x.id)
      or exists (select from video_redundancy y where y.actor_id = x.id)
  )
  and not exists (select from video_channel h join video v on v.channel_id = h.id where h.account_id = o.id)
  and not exists (select from video_channel h join video_playlist p on p.channel_id = h.id where h.account_id = o.id)`

/**
 * Forgets accounts of other instances, with the channels they have, that nothing hangs on and that were not asked for in so many
 * days; answers how many.
 */
export const forgetUnusedActors = (sql: SqlClient) => {
  const forgetSome = Effect.fnUntraced(function* (days: number) {
    const accounts = yield* sql<{ id: number; actorId: number }>`
      select o.id, o.actor_id as "actorId"
      from remote_actor r join actor a on a.id = r.actor_id join account o on o.actor_id = a.id
      where r.fetched_at < now() - ${days}::integer * interval '1 day' and a.server_id is not null
        and ${sql.literal(isUnused)}
      order by r.fetched_at limit ${batch} for update of o skip locked`
    const ids = accounts.map(({ id }) => id)
    const channels = yield* sql<{ actorId: number }>`
      delete from video_channel where account_id = any(${ids}::integer[]) returning actor_id as "actorId"`
    const actors = [...accounts, ...channels].map(({ actorId }) => actorId)
    yield* sql`delete from account where id = any(${ids}::integer[])`
    yield* sql`delete from actor where id = any(${actors}::integer[])`
    return ids.length
  }, sql.withTransaction)

  return Effect.fnUntraced(function* (days: number) {
    let forgotten = 0
    while (true) {
      const some = yield* forgetSome(days)
      forgotten += some
      if (some < batch) return forgotten
    }
  })
}
