import type { SectionPage, SectionRow } from "./ExportSection.ts"

const rates =
  (type: "like" | "dislike"): SectionPage =>
  (sql, task, after, limit) =>
    sql<SectionRow>`
  select v.id as cursor, json_build_object('videoUrl', v.url, 'createdAt', wire_time(r.created_at))::text as item,
    '[]'::json as files
  from account_video_rate r join video v on v.id = r.video_id
  where r.account_id = ${task.accountId} and r.type = ${type} and r.video_id > ${after} order by r.video_id limit ${limit}
`

/** Videos the user likes (contract: LikesExportJSON). */
export const likes = rates("like")
/** Videos the user dislikes (contract: DislikesExportJSON). */
export const dislikes = rates("dislike")
