import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { keyOf, named, type ObjectFound } from "./ObjectFound.ts"

/** `approval` is of the video's instance, whoever's the comment is. */
export type CommentForm = "note" | "activity" | "approval"

const texts: Readonly<Record<CommentForm, string>> = {
  note: "ap_note(c.id)",
  activity: `(select case when n.note ->> 'type' = 'Note' then
    '{"to":' || (n.note -> 'to') || ',"cc":' || (n.note -> 'cc') || ',"type":"Create","id":' || to_json(c.url || '/activity')
      || ',"actor":' || (n.note -> 'attributedTo') || ',"object":' || n.note || '}' end
    from (select ap_note(c.id)::json as note) n)`,
  approval: "ap_approve_reply(c.id)"
}

const statement = (id: VideoIdOrUuid, form: CommentForm): string => `
  select case when comment_is_federated(c.id) and ${form === "approval" ? "true" : "c.ours"} then ${texts[form]} end as text,
    case when not c.ours and comment_is_federated(c.id) then c.url end as elsewhere
  from video v join lateral (
    select c.id, c.url, starts_with(c.url, wire_origin() || '/') as ours from video_comment c
    where c.id = $2 and c.video_id = v.id
  ) c on true
  where ${named(id, "v")}`

/** Comments as other servers read them; what waits for review is not shown. */
export class CommentObjects extends Context.Service<
  CommentObjects,
  {
    /** A comment of this instance below a video of whichever. */
    readonly read: (
      video: VideoIdOrUuid,
      commentId: number,
      form: CommentForm
    ) => Effect.Effect<Option.Option<ObjectFound>, DatabaseUnavailable>
  }
>()("@kinora/storage/activitypub/CommentObjects") {
  static readonly layer = Layer.effect(
    CommentObjects,
    Effect.map(SqlClient, (sql) =>
      CommentObjects.of({
        read: (video, commentId, form) =>
          withDatabaseErrors(
            Effect.map(sql.unsafe<ObjectFound>(statement(video, form), [keyOf(video), commentId]), (rows) =>
              Option.fromUndefinedOr(rows[0])
            )
          )
      })
    )
  )
}
