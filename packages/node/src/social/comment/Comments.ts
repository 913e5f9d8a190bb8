import { Forbidden, InvalidToken } from "@kinora/domain/errors/AuthErrors"
import {
  CommentNotAssociatedToVideo,
  CommentNotFound,
  CommentNotHeld,
  CommentRefused
} from "@kinora/domain/errors/CommentErrors"
import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoComment } from "@kinora/domain/wire/Comment"
import type { Json } from "@kinora/domain/wire/Json"
import { type CommentFacts, CommentRows } from "@kinora/storage/social/comment/CommentRows"
import type { WriteOutcome } from "@kinora/storage/social/comment/CommentWrites"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { CommentPace } from "./CommentPace.ts"
import { mayDelete, mayReview, maySee, mayTend, reviewsByRight, wrote } from "./CommentRights.ts"

type Unknown = CommentNotFound | CommentNotAssociatedToVideo | DatabaseUnavailable

const refused = (reason: string) => new CommentRefused({ reason })

/** Why nothing was written; a comment that is replied to was there a moment ago. */
const refusals = {
  "no account": () => new InvalidToken(),
  "no video": () => new VideoNotFound(),
  disabled: () => refused("This video takes no comments"),
  "no comment": () => new CommentNotFound(),
  "other video": () => new CommentNotAssociatedToVideo(),
  "parent deleted": () => refused("This comment was deleted: there is nothing to reply to"),
  "parent held": () => refused("This comment waits for review: it can be replied to once it is approved")
} satisfies Record<Exclude<WriteOutcome, "written" | "held">, () => unknown>

type NotWritten = ReturnType<(typeof refusals)[keyof typeof refusals]>

const wroteNothing = (outcome: WriteOutcome): outcome is keyof typeof refusals => outcome in refusals

/**
 * What people say below videos. Whether the video is there for who asks was decided before. Each change is one transaction
 * with what follows from it.
 */
export class Comments extends Context.Service<
  Comments,
  {
    /** A comment of a video as the user may see it. */
    readonly find: (
      video: VideoFacts,
      commentId: number,
      user: CurrentUserShape
    ) => Effect.Effect<CommentFacts, Unknown>
    /** Begins a thread, or replies to a comment. Answers JSON text (contract: VideoComment). */
    readonly write: (
      user: CurrentUserShape,
      video: VideoFacts,
      comment: { readonly text: string; readonly inReplyTo?: number | undefined }
    ) => Effect.Effect<Json<VideoComment>, NotWritten | Unknown | RateLimited>
    readonly remove: (
      user: CurrentUserShape,
      video: VideoFacts,
      commentId: number
    ) => Effect.Effect<void, Unknown | Forbidden | CommentRefused>
    readonly approve: (
      user: CurrentUserShape,
      video: VideoFacts,
      commentId: number
    ) => Effect.Effect<void, Unknown | Forbidden | CommentRefused | CommentNotHeld>
  }
>()("@kinora/node/comments/Comments") {
  static readonly layer = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* CommentRows
      const events = yield* NotificationEvents
      const pace = yield* CommentPace
      const audit = yield* AuditTrail

      const inTransaction = <A, E>(effect: Effect.Effect<A, E>) => withDatabaseErrors(sql.withTransaction(effect))

      const known = Effect.fnUntraced(function* (
        video: VideoFacts,
        commentId: number,
        user: CurrentUserShape,
        may: typeof maySee
      ) {
        const found = yield* rows.facts(commentId, user.accountId)
        if (Option.isNone(found)) return yield* new CommentNotFound()
        const comment = found.value
        if (comment.videoId !== video.id) return yield* new CommentNotAssociatedToVideo()
        return may(video, comment, user) ? comment : yield* new CommentNotFound()
      })

      const find: Comments["Service"]["find"] = (video, commentId, user) => known(video, commentId, user, maySee)

      const add = Effect.fnUntraced(
        function* (
          user: CurrentUserShape,
          video: VideoFacts,
          comment: { readonly text: string; readonly inReplyTo?: number | undefined }
        ) {
          const { id, outcome } = yield* rows.add({
            ...comment,
            videoId: video.id,
            accountId: user.accountId,
            trusted: mayReview(video, user)
          })
          if (wroteNothing(outcome) || id === null) {
            return yield* Effect.fail<NotWritten>(refusals[outcome as keyof typeof refusals]())
          }
          yield* events.record({ _tag: "NewComment", commentId: id })
          return id
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const write = Effect.fn("Comments.write")(function* (
        user: CurrentUserShape,
        video: VideoFacts,
        comment: { readonly text: string; readonly inReplyTo?: number | undefined }
      ) {
        if (comment.inReplyTo !== undefined) yield* find(video, comment.inReplyTo, user)
        const id = yield* pace.hold(user, add(user, video, comment))
        const text = yield* rows.text(id)
        // Somebody deleted it at this moment.
        return Option.isNone(text) ? yield* new CommentNotFound() : text.value
      })

      /** Moderators leave an entry; authors, and who works on the video, look after what is theirs. */
      const around = (user: CurrentUserShape, video: VideoFacts, comment: CommentFacts, action: string) =>
        reviewsByRight(video, user) && !wrote(comment, user)
          ? audit.around(user, {
              domain: "comment",
              action,
              target: { commentId: comment.id, videoId: video.id, uuid: video.uuid },
              values: rows.values(comment.id)
            })
          : unaudited

      const deletedAlready = refused("This comment was deleted already")

      const remove = Effect.fn("Comments.remove")(function* (
        user: CurrentUserShape,
        video: VideoFacts,
        commentId: number
      ) {
        const comment = yield* known(video, commentId, user, mayTend)
        if (comment.deleted) return yield* deletedAlready
        if (!mayDelete(video, comment, user)) {
          return yield* new Forbidden({ reason: "Only its author and those who manage the video may delete a comment" })
        }
        const removed = yield* around(user, video, comment, "delete")(inTransaction(rows.remove([commentId])))
        if (removed === 0) return yield* deletedAlready
      })

      const approve = Effect.fn("Comments.approve")(function* (
        user: CurrentUserShape,
        video: VideoFacts,
        commentId: number
      ) {
        const comment = yield* known(video, commentId, user, mayTend)
        if (!mayReview(video, user)) {
          return yield* new Forbidden({ reason: "Only those who manage the video may approve a comment" })
        }
        if (comment.deleted) return yield* deletedAlready
        const approved = inTransaction(
          Effect.tap(rows.approve(commentId), (it) =>
            it === "approved" ? events.record({ _tag: "NewComment", commentId }) : Effect.void
          )
        )
        const outcome = yield* around(user, video, comment, "approve")(approved)
        if (outcome === "missing") return yield* deletedAlready
        if (outcome === "seen already") return yield* new CommentNotHeld()
      })

      return Comments.of({ find, write, remove, approve })
    })
  )
}
