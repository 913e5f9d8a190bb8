import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Selects the actors that this instance itself follows; what its users subscribe to is theirs alone. */
const followed = (sql: SqlClient): Fragment => sql`
  select f.target_actor_id from actor_follow f where f.actor_id = instance_actor() and f.state = 'accepted'`

/**
 * Condition on `actor a`: lists show it to everybody. It is of this instance, or this instance follows it, its instance, the
 * account of the channel or a channel of the account.
 */
export const isListedActor = (sql: SqlClient): Fragment => sql`(
  a.server_id is null or a.id in (${followed(sql)})
  or a.server_id in (select t.server_id from actor t where t.type = 'Application' and t.id in (${followed(sql)}))
  or a.id in (
    select h.actor_id from video_channel h join account o on o.id = h.account_id where o.actor_id in (${followed(sql)})
    union all
    select o.actor_id from video_channel h join account o on o.id = h.account_id where h.actor_id in (${followed(sql)})
  ))`

/** Condition on `video_playlist p`: lists show who owns it to everybody. */
export const isListedOwner = (sql: SqlClient): Fragment => sql`(not p.remote or exists (
  select from account po join actor a on a.id = po.actor_id where po.id = p.owner_account_id and ${isListedActor(sql)}))`
