import { NotificationType } from "@kinora/domain/enums/NotificationType"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import {
  CommentEventRows,
  type EventComment,
  type EventUser
} from "@kinora/storage/social/notification/CommentEventRows"
import type { NotificationDraft } from "@kinora/storage/social/notification/NotificationWrites"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { decide } from "../../../video/list/VideoVisibility.ts"
import { type EventHandler, noNews } from "./EventHandler.ts"
import { mentionedNames } from "./Mentions.ts"

/** Whether a user may see the video below which a comment mentions them. */
const maySee = ({ video }: EventComment, user: EventUser): boolean => {
  // Decisions look at nothing else of a user.
  const decision = decide(video, Option.some(user as CurrentUserShape), "uuid")
  return decision === "open" || decision === "password"
}

/**
 * A comment was written or approved. Who owns the video is notified, also of one that waits for review; once it can be read,
 * whoever it mentions and may see the video.
 */
export const newComment = Effect.gen(function* () {
  const comments = yield* CommentEventRows
  const ownHost = new URL((yield* KinoraConfig).derived.origin).host

  const mentioned = Effect.fnUntraced(function* (comment: EventComment) {
    const names = comment.heldForReview ? [] : mentionedNames(comment.text, ownHost)
    if (names.length === 0) return []
    const users = yield* comments.usersNamed(names)
    return users
      .filter(({ accountId, id }) => id !== comment.videoOwnerId && accountId !== comment.authorId)
      .filter((user) => maySee(comment, user))
      .map(({ id }) => id)
  })

  const handle: EventHandler = Effect.fn("newComment")(function* ({ subject }) {
    const comment = yield* comments.comment(subject)
    if (comment === undefined) return noNews
    const { authorId, video, videoOwnerId } = comment
    const about = { by: authorId, subject: { comment_id: subject, video_id: video.id } }
    const drafts: Array<NotificationDraft> = []
    if (videoOwnerId !== null && authorId !== video.accountId) {
      const recipients = { _tag: "Users", userIds: [videoOwnerId] } as const
      drafts.push({ ...about, type: NotificationType.newCommentOnMyVideo, recipients })
    }
    const userIds = yield* mentioned(comment)
    if (userIds.length > 0) {
      drafts.push({ ...about, type: NotificationType.commentMention, recipients: { _tag: "Users", userIds } })
    }
    return { drafts }
  })
  return handle
})
