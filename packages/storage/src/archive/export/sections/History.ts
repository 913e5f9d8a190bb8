import { plainSection, type SectionPage } from "./ExportSection.ts"

interface Row {
  readonly cursor: number
  readonly videoUrl: string
  readonly lastTimecode: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Videos the user watched, with the position (contract: UserVideoHistoryExportJSON). */
export const history: SectionPage = (sql, task, after, limit) =>
  plainSection(sql<Row>`
    select v.id as cursor, v.url as "videoUrl", h.current_time_seconds as "lastTimecode",
      wire_time(h.created_at) as "createdAt", wire_time(h.updated_at) as "updatedAt"
    from user_video_history h join video v on v.id = h.video_id
    where h.user_id = ${task.userId} and h.video_id > ${after} order by h.video_id limit ${limit}`)
