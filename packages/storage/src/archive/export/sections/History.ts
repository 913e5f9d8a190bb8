import type { SectionPage, SectionRow } from "./ExportSection.ts"

/** What the user watched, and how far (contract: UserVideoHistoryExportJSON). */
export const history: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select v.id as cursor, json_build_object(
      'videoUrl', v.url, 'lastTimecode', h.current_time_seconds, 'createdAt', wire_time(h.created_at),
      'updatedAt', wire_time(h.updated_at)
    )::text as item, '[]'::json as files
  from user_video_history h join video v on v.id = h.video_id
  where h.user_id = ${task.userId} and h.video_id > ${after} order by h.video_id limit ${limit}
`
