import { NotificationType } from "@kinora/domain/enums/NotificationType"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { VideoFacts } from "../../video/access/VideoFacts.ts"
import type { Telling } from "./Tellings.ts"

/** A user of this instance whom a comment names, as much as decides whether they may see the video. */
export type Mentioned = Pick<CurrentUserShape, "id" | "accountId" | "role">

/** Whether somebody may see the video that a comment they are named in stands under. */
export type MaySee = (video: VideoFacts, user: Mentioned) => boolean

/** Who is named beyond this many is not told: a comment is no circular letter. */
const mostMentions = 20

const mention = /(?<![\w.@/-])@([a-z0-9._]{1,50})(?:@([a-z0-9.-]{1,253}(?::\d{1,5})?))?/gi

/** User names a text mentions: `@name`, or `@name@host` of this instance. A dot that ends a sentence is none of the name. */
export const mentionedNames = (text: string, ownHost: string): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const [, name = "", host] of text.matchAll(mention)) {
    if (host !== undefined && host.toLowerCase().replace(/\.+$/, "") !== ownHost.toLowerCase()) continue
    const clean = name.toLowerCase().replace(/\.+$/, "")
    if (clean !== "") names.add(clean)
    if (names.size === mostMentions) break
  }
  return [...names]
}

interface CommentRow extends VideoFacts {
  readonly by: number | null
  readonly text: string
  readonly held: boolean
  readonly ownerId: number | null
  readonly ownHost: string
}

/**
 * Whom a comment concerns: who owns the video, also of one that waits for a review, and once it can be read whoever it
 * names and may see the video.
 */
export const commentTellings = Effect.fnUntraced(function* (
  sql: SqlClient,
  commentId: number,
  maySee: MaySee
): Effect.fn.Return<ReadonlyArray<Telling>, SqlError> {
  const [row] = yield* sql<CommentRow>`
    select c.account_id as by, c.text, c.held_for_review as held, o.user_id as "ownerId",
      wire_host(wire_origin()) as "ownHost", v.id, v.uuid, v.privacy, v.state, v.remote, v.account_id as "accountId",
      v.channel_id as "channelId", exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted,
      array(
        select k.account_id from video_channel_collaborator k where k.channel_id = v.channel_id and k.state = 2
      ) as collaborators
    from video_comment c join video v on v.id = c.video_id join account o on o.id = v.account_id
    where c.id = ${commentId} and c.deleted_at is null and c.account_id is not null`
  if (row === undefined) return []
  const subject = { comment_id: commentId, video_id: row.id }
  const owner: ReadonlyArray<Telling> =
    row.ownerId === null || row.by === row.accountId
      ? []
      : [
          {
            type: NotificationType.newCommentOnMyVideo,
            by: row.by,
            subject,
            users: sql`select ${row.ownerId}::integer as id`
          }
        ]
  const names = row.held ? [] : mentionedNames(row.text, row.ownHost)
  if (names.length === 0) return owner
  const users = yield* sql<Mentioned>`
    select u.id, u.role, a.id as "accountId" from app_user u join account a on a.user_id = u.id
    where u.username = any(${names}::text[]::citext[]) and u.id is distinct from ${row.ownerId}::integer
      and a.id is distinct from ${row.by}::integer`
  const told = users.filter((user) => maySee(row, user)).map(({ id }) => id)
  return [
    ...owner,
    {
      type: NotificationType.commentMention,
      by: row.by,
      subject,
      users: sql`select unnest(${told}::integer[]) as id`
    }
  ]
})
