import type { SectionPage, SectionRow } from "./ExportSection.ts"
import { actorPictures, largestPicture } from "./Pictures.ts"

/** Channels the user owns (contract: ChannelExportJSON). */
export const channels: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select c.id as cursor, json_build_object(
      'url', r.url, 'name', r.preferred_username::text, 'displayName', c.display_name, 'description', c.description,
      'support', c.support, 'publicEmail', c.public_email, 'updatedAt', wire_time(greatest(c.updated_at, r.updated_at)),
      'createdAt', wire_time(c.created_at), 'avatars', ${actorPictures(sql, sql`r.id`, 1)},
      'banners', ${actorPictures(sql, sql`r.id`, 2)}, 'playerSettings', json_build_object('theme', c.player_theme),
      'archiveFiles', json_build_object(
        'avatar', '../files/channels/avatars/' || p.avatar, 'banner', '../files/channels/banners/' || p.banner
      )
    )::text as item,
    coalesce((
      select json_agg(json_build_object('bucket', 'avatars', 'name', f.name, 'as', f.folder || f.name))
      from (values ('channels/avatars/', p.avatar), ('channels/banners/', p.banner)) f (folder, name)
      where f.name is not null
    ), '[]') as files
  from video_channel c join actor r on r.id = c.actor_id
    cross join lateral (
      select ${largestPicture(sql, sql`r.id`, 1)} as avatar, ${largestPicture(sql, sql`r.id`, 2)} as banner
    ) p
  where c.account_id = ${task.accountId} and c.id > ${after} order by c.id limit ${limit}
`
