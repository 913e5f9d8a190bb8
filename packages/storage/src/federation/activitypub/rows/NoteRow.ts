import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../../platform/database/DatabaseErrors.ts"
import { actorsNamedIn, MentionedActor } from "./Mentions.ts"

/** A comment, with what its row says of its ActivityPub object. */
export const NoteColumns = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  text: Schema.String,
  /** Null: the account is gone. */
  authorUrl: Schema.NullOr(Schema.String),
  authorActorId: Schema.NullOr(Schema.Int),
  /** The comment or video it answers. */
  inReplyTo: Schema.String,
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  deletedAt: Schema.NullOr(Schema.Date),
  /** Whether it waits for review by the owner of the video. */
  isHeld: Schema.Boolean,
  /** The approval that the instance of a remote video gave. */
  replyApprovalUrl: Schema.NullOr(Schema.String),
  video: Schema.Struct({
    uuid: Schema.String,
    isRemote: Schema.Boolean,
    channelUrl: Schema.String,
    ownerUrl: Schema.String
  }),
  /** Authors of the comments above it; none of a deleted one. */
  above: Schema.Array(MentionedActor)
})
export type NoteColumns = typeof NoteColumns.Type

/** A comment, with everything that its ActivityPub object is made of. */
export interface NoteRow extends Omit<NoteColumns, "above" | "authorActorId"> {
  /** Authors of the comments above it and those it names, by row id. */
  readonly mentions: ReadonlyArray<Omit<MentionedActor, "id">>
}

/** Reads whom a comment mentions: never its own author. */
export const noteRowOf = (sql: SqlClient) =>
  Effect.fnUntraced(function* ({ above, authorActorId, ...row }: NoteColumns) {
    const named = row.deletedAt === null ? yield* actorsNamedIn(sql, [row.text]) : []
    const others = new Map([...above, ...named].map((actor) => [actor.id, actor] as const))
    if (authorActorId !== null) others.delete(authorActorId)
    const mentions = [...others.values()].toSorted((one, other) => one.id - other.id)
    return { ...row, mentions } satisfies NoteRow as NoteRow
  }, withDatabaseErrors)

/** Selects `NoteColumns` of the comments `c` that meet a condition. */
export const selectNotes = (condition: string): string => `
  select c.id, c.url, c.text, a.url as "authorUrl", o.actor_id as "authorActorId", coalesce(p.url, v.url) as "inReplyTo",
    c.created_at as "createdAt", c.updated_at as "updatedAt", c.deleted_at as "deletedAt",
    c.held_for_review as "isHeld", c.reply_approval_url as "replyApprovalUrl",
    json_build_object(
      'uuid', v.uuid, 'isRemote', v.remote, 'channelUrl', ch.url, 'ownerUrl', ow.url
    ) as video,
    (
      with recursive chain as (
        select u.id, u.in_reply_to_comment_id, u.account_id, 1 as depth from video_comment u
          where u.id = c.in_reply_to_comment_id and c.deleted_at is null
        union all
        select u.id, u.in_reply_to_comment_id, u.account_id, depth + 1
          from chain join video_comment u on u.id = chain.in_reply_to_comment_id where depth < 100
      )
      select coalesce(json_agg(m), '[]') from (
        select distinct ma.id, ma.url, ma.preferred_username as username, s.host
        from chain join account ac on ac.id = chain.account_id join actor ma on ma.id = ac.actor_id
          left join server s on s.id = ma.server_id
      ) m
    ) as above
  from video_comment c join video v on v.id = c.video_id
    join video_channel h on h.id = v.channel_id join actor ch on ch.id = h.actor_id
    join account w on w.id = v.account_id join actor ow on ow.id = w.actor_id
    left join account o on o.id = c.account_id left join actor a on a.id = o.actor_id
    left join video_comment p on p.id = c.in_reply_to_comment_id
  where ${condition}`
