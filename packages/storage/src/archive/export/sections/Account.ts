import type { SectionPage, SectionRow } from "./ExportSection.ts"
import { actorPictures, largestPicture } from "./Pictures.ts"

/** The account (contract: AccountExportJSON). */
export const account: SectionPage = (sql, task) => sql<SectionRow>`
  select 1 as cursor, json_build_object(
      'url', r.url, 'name', r.preferred_username::text, 'displayName', c.display_name, 'description', c.description,
      'updatedAt', wire_time(greatest(c.updated_at, r.updated_at)), 'createdAt', wire_time(c.created_at),
      'avatars', ${actorPictures(sql, sql`r.id`, 1)},
      'archiveFiles', json_build_object('avatar', '../files/account/avatars/' || p.filename)
    )::text as item,
    case when p.filename is null then '[]'::json else json_build_array(json_build_object(
      'bucket', 'avatars', 'name', p.filename, 'as', 'account/avatars/' || p.filename
    )) end as files
  from account c join actor r on r.id = c.actor_id
    cross join lateral (select ${largestPicture(sql, sql`r.id`, 1)} as filename) p
  where c.id = ${task.accountId}
`
