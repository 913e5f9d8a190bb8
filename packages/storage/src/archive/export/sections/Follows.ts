import type { SectionPage, SectionRow } from "./ExportSection.ts"
import { handleOf } from "./Pictures.ts"

/** There is no index in this order: all of the user are sorted for each page. */
const pages = 50

/** Channels and accounts the user follows (contract: FollowingExportJSON). */
export const following: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select f.id as cursor, json_build_object(
      'handle', ${handleOf(sql, sql`f.actor_id`)}, 'targetHandle', ${handleOf(sql, sql`f.target_actor_id`)},
      'createdAt', wire_time(f.created_at)
    )::text as item, '[]'::json as files
  from actor_follow f
  where f.actor_id = ${task.actorId} and f.state <> 'rejected' and f.id > ${after} order by f.id limit ${limit * pages}
`

/** Who follows the user, or a channel of theirs (contract: FollowersExportJSON). */
export const followers: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select f.id as cursor, json_build_object(
      'handle', ${handleOf(sql, sql`f.actor_id`)}, 'targetHandle', ${handleOf(sql, sql`f.target_actor_id`)},
      'createdAt', wire_time(f.created_at)
    )::text as item, '[]'::json as files
  from actor_follow f
  where f.target_actor_id in (
    select ${task.actorId}::integer union all
    select c.actor_id from video_channel c where c.account_id = ${task.accountId}
  ) and f.state = 'accepted' and f.id > ${after} order by f.id limit ${limit * pages}
`
