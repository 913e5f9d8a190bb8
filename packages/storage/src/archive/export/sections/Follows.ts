import { plainSection, type SectionPage } from "./ExportSection.ts"
import { handleOf } from "./Pictures.ts"

/** There is no index in this order: each page sorts all follows of the user. */
const pages = 50

interface Followed extends Row {
  /** Ours: names of the groups that the user has sorted it into. Other programs leave it alone. */
  readonly subscriptionGroups: ReadonlyArray<string>
}

interface Row {
  readonly cursor: number
  readonly handle: string
  readonly targetHandle: string
  readonly createdAt: string
}

/** Channels and accounts the user follows (contract: FollowingExportJSON). */
export const following: SectionPage = (sql, task, after, limit) =>
  plainSection(sql<Followed>`
    select f.id as cursor, ${handleOf(sql, sql`f.actor_id`)} as handle,
      ${handleOf(sql, sql`f.target_actor_id`)} as "targetHandle", wire_time(f.created_at) as "createdAt", array(
        select g.name::text from subscription_group_member m join subscription_group g on g.id = m.group_id
        where m.follow_id = f.id order by g.id
      ) as "subscriptionGroups"
    from actor_follow f
    where f.actor_id = ${task.actorId} and f.state <> 'rejected' and f.id > ${after} order by f.id limit ${limit * pages}`)

/** Followers of the user or of one of their channels (contract: FollowersExportJSON). */
export const followers: SectionPage = (sql, task, after, limit) =>
  plainSection(sql<Row>`
    select f.id as cursor, ${handleOf(sql, sql`f.actor_id`)} as handle,
      ${handleOf(sql, sql`f.target_actor_id`)} as "targetHandle", wire_time(f.created_at) as "createdAt"
    from actor_follow f
    where f.target_actor_id in (
      select ${task.actorId}::integer union all
      select c.actor_id from video_channel c where c.account_id = ${task.accountId}
    ) and f.state = 'accepted' and f.id > ${after} order by f.id limit ${limit * pages}`)
