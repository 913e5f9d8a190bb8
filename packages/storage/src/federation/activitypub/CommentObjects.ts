import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { finderOf, type Found, keyOf, named } from "./ObjectFound.ts"
import { ApprovalRow } from "./rows/ActivityRows.ts"
import { NoteColumns, type NoteRow, noteRowOf, selectNotes } from "./rows/NoteRow.ts"

const target = (video: VideoIdOrUuid, shown: string): string => `
  select c.id, comment_is_federated(c.id) and ${shown} as shown,
    case when not c.ours and comment_is_federated(c.id) then c.url end as elsewhere
  from video v join lateral (
    select c.id, c.url, starts_with(c.url, wire_origin() || '/') as ours from video_comment c
    where c.id = $2 and c.video_id = v.id
  ) c on true
  where ${named(video, "v")}`

const selectApproval = `
  select c.id as "commentId", c.url as "commentUrl", coalesce(p.url, v.url) as "inReplyTo", v.uuid as "videoUuid",
    a.url as "actorUrl"
  from video_comment c join video v on v.id = c.video_id join account o on o.id = v.account_id
    join actor a on a.id = o.actor_id left join video_comment p on p.id = c.in_reply_to_comment_id
  where c.id = t.id and not v.remote and not c.held_for_review and c.deleted_at is null`

/** Comments as other instances read them; what waits for review is not shown. */
export class CommentObjects extends Context.Service<
  CommentObjects,
  {
    /** A comment of this instance below a video of any. */
    readonly note: (video: VideoIdOrUuid, commentId: number) => Found<NoteRow>
    /** That a comment, of any instance, may stand below a video of this one. */
    readonly approval: (video: VideoIdOrUuid, commentId: number) => Found<ApprovalRow>
  }
>()("@kinora/storage/activitypub/CommentObjects") {
  static readonly layer = Layer.effect(
    CommentObjects,
    Effect.map(SqlClient, (sql) => {
      const notes = finderOf(sql, NoteColumns)
      const withMentions = noteRowOf(sql)
      const approvals = finderOf(sql, ApprovalRow)
      const rows = selectNotes("c.id = t.id")
      return CommentObjects.of({
        note: Effect.fnUntraced(function* (video, id) {
          const found = yield* notes({ target: target(video, "c.ours"), rows }, [keyOf(video), id])
          if (Option.isNone(found)) return Option.none()
          const { elsewhere, row } = found.value
          return Option.some({ elsewhere, row: row === null ? null : yield* withMentions(row) })
        }),
        approval: (video, id) => approvals({ target: target(video, "true"), rows: selectApproval }, [keyOf(video), id])
      })
    })
  )
}
