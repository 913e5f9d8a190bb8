import type { SectionPage, SectionRow } from "./ExportSection.ts"

/** There is no index in this order: all of the user are sorted for each page. */
const pages = 10

/** What the user wrote (contract: CommentsExportJSON). */
export const comments: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select c.id as cursor, json_strip_nulls(json_build_object(
      'url', c.url, 'text', c.text, 'createdAt', wire_time(c.created_at), 'videoUrl', v.url,
      'inReplyToCommentUrl', p.url
    ))::text as item, '[]'::json as files
  from video_comment c join video v on v.id = c.video_id left join video_comment p on p.id = c.in_reply_to_comment_id
  where c.account_id = ${task.accountId} and c.deleted_at is null and c.id > ${after} order by c.id limit ${limit * pages}
`
