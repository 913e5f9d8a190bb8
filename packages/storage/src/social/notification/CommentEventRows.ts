import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { VideoFacts } from "../../video/access/VideoFacts.ts"

/** A comment that is not deleted. */
export interface EventComment {
  readonly authorId: number
  readonly text: string
  readonly heldForReview: boolean
  readonly video: VideoFacts
  /** The user whose video it stands below; null: of another instance. */
  readonly videoOwnerId: number | null
}

/** A user of this instance, as much as decides whether they may see a video. */
export type EventUser = Pick<CurrentUserShape, "id" | "accountId" | "role">

type Row = Omit<EventComment, "video"> & VideoFacts

/** What events about comments are decided by. */
export class CommentEventRows extends Context.Service<
  CommentEventRows,
  {
    /** Undefined: it was deleted by now. */
    readonly comment: (commentId: number) => Effect.Effect<EventComment | undefined, DatabaseUnavailable>
    /** Users by their names; names of nobody are left out. */
    readonly usersNamed: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<EventUser>, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/CommentEventRows") {
  static readonly layer = Layer.effect(
    CommentEventRows,
    Effect.map(SqlClient, (sql) =>
      CommentEventRows.of({
        comment: Effect.fnUntraced(function* (commentId: number) {
          const [row] = yield* sql<Row>`
            select c.account_id as "authorId", c.text, c.held_for_review as "heldForReview", o.user_id as "videoOwnerId",
              v.id, v.uuid, v.privacy, v.state, v.remote, v.is_live as "isLive", v.account_id as "accountId", v.channel_id as "channelId",
              exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted,
              array(
                select k.account_id from video_channel_collaborator k where k.channel_id = v.channel_id and k.state = 2
              ) as collaborators
            from video_comment c join video v on v.id = c.video_id join account o on o.id = v.account_id
            where c.id = ${commentId} and c.deleted_at is null and c.account_id is not null`
          if (row === undefined) return undefined
          const { authorId, heldForReview, text, videoOwnerId, ...video } = row
          return { authorId, heldForReview, text, videoOwnerId, video }
        }, withDatabaseErrors),
        usersNamed: Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
          return yield* sql<EventUser>`
            select u.id, u.role, a.id as "accountId" from app_user u join account a on a.user_id = u.id
            where u.username = any(${names}::text[]::citext[])`
        }, withDatabaseErrors)
      })
    )
  )
}
