import { plainSection, type SectionPage } from "./ExportSection.ts"

interface Row {
  readonly cursor: number
  readonly videoUrl: string
  readonly createdAt: string
}

const rates =
  (type: "like" | "dislike"): SectionPage =>
  (sql, task, after, limit) =>
    plainSection(sql<Row>`
      select v.id as cursor, v.url as "videoUrl", wire_time(r.created_at) as "createdAt"
      from account_video_rate r join video v on v.id = r.video_id
      where r.account_id = ${task.accountId} and r.type = ${type} and r.video_id > ${after}
      order by r.video_id limit ${limit}`)

/** Videos the user likes (contract: LikesExportJSON). */
export const likes = rates("like")
/** Videos the user dislikes (contract: DislikesExportJSON). */
export const dislikes = rates("dislike")
