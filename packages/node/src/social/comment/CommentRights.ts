import { hasRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { BulkScope } from "@kinora/domain/requests/CommentRequests"
import type { CommentReader } from "@kinora/storage/social/comment/CommentReader"
import type { CommentFacts } from "@kinora/storage/social/comment/CommentRows"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Option } from "effect"
import { worksOn } from "../../video/list/VideoRights.ts"

type Comment = Pick<CommentFacts, "accountId" | "heldForReview" | "hidden">

const isAuthor = (comment: Pick<Comment, "accountId">, user: CurrentUserShape): boolean =>
  comment.accountId === user.accountId

/**
 * Whether the user looks after what is said below the video: who works on its channel, and moderators. Their own comments
 * wait for nobody's review.
 */
export const mayReview = (video: VideoFacts, user: CurrentUserShape): boolean =>
  worksOn(video, user) || hasRight(user.role, "MANAGE_ANY_VIDEO_COMMENT")

/** Whether the user looks after comments of others below videos of others: as a moderator. */
export const reviewsByRight = (video: VideoFacts, user: CurrentUserShape): boolean => !worksOn(video, user)

/** Whether the comment is the user's own. */
export const wrote = isAuthor

/** Whether a comment may be deleted: by its author, and by who looks after the video. */
export const mayDelete = (video: VideoFacts, comment: Pick<Comment, "accountId">, user: CurrentUserShape): boolean =>
  isAuthor(comment, user) || mayReview(video, user)

/** Whether a comment of a video that the reader may see is there for the reader. Nobody sees what they block. */
export const maySee = (video: VideoFacts, comment: Comment, user: CurrentUserShape): boolean =>
  !comment.hidden && (!comment.heldForReview || isAuthor(comment, user) || mayReview(video, user))

/** Whether somebody who would delete or approve a comment learns that it is there: who may is not hindered by blocks. */
export const mayTend = (video: VideoFacts, comment: Comment, user: CurrentUserShape): boolean =>
  maySee(video, comment, user) || mayDelete(video, comment, user)

/** Whose comments that wait for review a reader sees in lists. Undefined: nobody's. */
export const readerFor = (video: VideoFacts, user: Option.Option<CurrentUserShape>): CommentReader | undefined =>
  Option.isNone(user) ? undefined : { accountId: user.value.accountId, reviews: mayReview(video, user.value) }

/** Whether the user may delete all of somebody's comments there: below their own videos everybody may. */
export const mayRemoveIn = (scope: BulkScope, user: CurrentUserShape): boolean =>
  scope !== "instance" || hasRight(user.role, "MANAGE_ANY_VIDEO_COMMENT")
