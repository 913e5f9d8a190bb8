import type { SectionPage, SectionRow } from "./ExportSection.ts"

/** Playlists of the user with what stands in them, in its order (contract: VideoPlaylistsExportJSON). */
export const playlists: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select p.id as cursor, json_build_object(
      'displayName', p.name, 'description', p.description, 'privacy', p.privacy, 'url', p.url, 'uuid', p.uuid,
      'type', p.type,
      'channel', case when r.id is not null then json_build_object('name', r.preferred_username::text) end,
      'createdAt', wire_time(p.created_at), 'updatedAt', wire_time(p.updated_at),
      'thumbnailUrl', (t.pictures -> 0 ->> 'url'), 'thumbnails', coalesce(t.pictures, '[]'),
      'elements', (
        select coalesce(json_agg(json_strip_nulls(json_build_object(
          'videoUrl', v.url, 'startTimestamp', e.start_timestamp, 'stopTimestamp', e.stop_timestamp
        )) order by e.position), '[]')
        from video_playlist_element e join video v on v.id = e.video_id where e.playlist_id = p.id
      ),
      'archiveFiles', json_build_object('thumbnail', '../files/video-playlists/thumbnails/' || t.filename)
    )::text as item,
    case when t.filename is null then '[]'::json else json_build_array(json_build_object(
      'bucket', 'thumbnails', 'name', t.filename, 'as', 'video-playlists/thumbnails/' || t.filename
    )) end as files
  from video_playlist p left join video_channel c on c.id = p.channel_id left join actor r on r.id = c.actor_id
    cross join lateral (
      select json_agg(json_build_object(
          'width', i.width, 'height', i.height, 'url', wire_origin() || '/lazy-static/thumbnails/' || i.filename,
          'createdAt', wire_time(i.created_at), 'updatedAt', wire_time(i.created_at)
        ) order by i.width desc) as pictures,
        (array_agg(i.filename order by i.width desc))[1] as filename
      from video_playlist_thumbnail i where i.playlist_id = p.id and i.remote_url is null
    ) t
  where p.owner_account_id = ${task.accountId} and not p.remote and p.id > ${after} order by p.id limit ${limit}
`
