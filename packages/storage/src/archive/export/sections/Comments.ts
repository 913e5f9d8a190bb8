import { plainSection, type SectionPage } from "./ExportSection.ts"
import { Effect } from "effect"

/** There is no index in this order: each page sorts all comments of the user. */
const pages = 10

interface Row {
  readonly cursor: number
  readonly url: string
  readonly text: string
  readonly createdAt: string
  readonly videoUrl: string
  readonly inReplyToCommentUrl: string | null
}

/** Comments of the user (contract: CommentsExportJSON). */
export const comments: SectionPage = (sql, task, after, limit) =>
  plainSection(
    Effect.map(
      sql<Row>`
        select c.id as cursor, c.url, c.text, wire_time(c.created_at) as "createdAt", v.url as "videoUrl",
          p.url as "inReplyToCommentUrl"
        from video_comment c join video v on v.id = c.video_id
          left join video_comment p on p.id = c.in_reply_to_comment_id
        where c.account_id = ${task.accountId} and c.deleted_at is null and c.id > ${after}
        order by c.id limit ${limit * pages}`,
      (rows) =>
        rows.map(({ inReplyToCommentUrl, ...row }) =>
          inReplyToCommentUrl === null ? row : { ...row, inReplyToCommentUrl }
        )
    )
  )
