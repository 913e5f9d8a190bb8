import { Schema } from "effect"

/** A comment, with everything that its ActivityPub object is made of. */
export const NoteRow = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  text: Schema.String,
  /** Null: the account is gone. */
  authorUrl: Schema.NullOr(Schema.String),
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
  /** Authors of the comments above it and those it names, by row id. A null host is this instance. */
  mentions: Schema.Array(
    Schema.Struct({ url: Schema.String, username: Schema.String, host: Schema.NullOr(Schema.String) })
  )
})
export type NoteRow = typeof NoteRow.Type

/** Selects `NoteRow` of the comments `c` that meet a condition. */
export const selectNotes = (condition: string): string => `
  select c.id, c.url, c.text, a.url as "authorUrl", coalesce(p.url, v.url) as "inReplyTo",
    c.created_at as "createdAt", c.updated_at as "updatedAt", c.deleted_at as "deletedAt",
    c.held_for_review as "isHeld", c.reply_approval_url as "replyApprovalUrl",
    json_build_object(
      'uuid', v.uuid, 'isRemote', v.remote, 'channelUrl', ch.url, 'ownerUrl', ow.url
    ) as video,
    (
      select coalesce(json_agg(m), '[]') from (
        select ma.url, ma.preferred_username as username, s.host
        from unnest(note_mentions(c.id)) mentioned join actor ma on ma.id = mentioned
          left join server s on s.id = ma.server_id
        order by ma.id
      ) m
    ) as mentions
  from video_comment c join video v on v.id = c.video_id
    join video_channel h on h.id = v.channel_id join actor ch on ch.id = h.actor_id
    join account w on w.id = v.account_id join actor ow on ow.id = w.actor_id
    left join account o on o.id = c.account_id left join actor a on a.id = o.actor_id
    left join video_comment p on p.id = c.in_reply_to_comment_id
  where ${condition}`
