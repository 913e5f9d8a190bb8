import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { CommentIsNoThread, CommentNotAssociatedToVideo, CommentNotFound } from "@kinora/domain/errors/CommentErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import {
  toManagedCommentsQuery,
  toReplyListQuery,
  toThreadListQuery,
  toTreeBounds,
  type TreeBounds,
  treeBudget
} from "@kinora/domain/requests/CommentRequests"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { jsonMember } from "@kinora/domain/wire/Json"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { CommentLists } from "@kinora/storage/social/comment/CommentLists"
import { CommentRows } from "@kinora/storage/social/comment/CommentRows"
import { CommentThreads } from "@kinora/storage/social/comment/CommentThreads"
import { CommentTrees } from "@kinora/storage/social/comment/CommentTrees"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser, presentedByViewer } from "../../video/list/Presented.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { worksOn } from "../../video/list/VideoRights.ts"
import { namedBy } from "../../video/list/VideoVisibility.ts"
import { Comments } from "./Comments.ts"
import { readerFor } from "./CommentRights.ts"

const withinBudget = (count: number, bounds: TreeBounds) =>
  treeBudget(count, bounds) <= constraints.comment.tree.budget
    ? Effect.void
    : Effect.fail(
        InvalidParameters.one("maxDepth", "Together with repliesPerLevel, this asks for too many comments", "query")
      )

/** Comments and threads of videos. */
export const layer = apiGroup(
  "comments",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const reads = yield* VideoReads
    const channels = yield* ChannelRows
    const comments = yield* Comments
    const rows = yield* CommentRows
    const threads = yield* CommentThreads
    const trees = yield* CommentTrees
    const lists = yield* CommentLists

    /** The video a user may see, to say something below it. */
    const talking = Effect.fnUntraced(function* (id: VideoIdOrUuid, request: HttpServerRequest) {
      const user = yield* CurrentUser
      return { user, video: yield* access.open(id, yield* presentedByUser(request)) }
    })

    /** The video of a comment. Its author may take it back even where the video is not for them any more. */
    const takingBack = Effect.fnUntraced(function* (id: VideoIdOrUuid, commentId: number, request: HttpServerRequest) {
      const user = yield* CurrentUser
      const video = yield* reads.access(id)
      const comment = yield* rows.facts(commentId)
      // Of this video: by naming any other, its author would learn that it exists.
      const own =
        Option.isSome(comment) && comment.value.videoId === video.id && comment.value.accountId === user.accountId
      if (!own) yield* access.check(video, yield* presentedByUser(request), namedBy(id))
      return { user, video }
    })

    /** The video and who reads below it. */
    const reading = Effect.fnUntraced(function* (id: VideoIdOrUuid, request: HttpServerRequest) {
      const asked = yield* presentedByViewer(request)
      const video = yield* access.open(id, asked)
      return { video, reader: readerFor(video, asked.user) }
    })

    /** Why there is nothing to read at a comment. */
    const absent = Effect.fnUntraced(function* (videoId: number, commentId: number) {
      const comment = yield* rows.facts(commentId)
      if (Option.isNone(comment)) return yield* new CommentNotFound()
      if (comment.value.videoId !== videoId) return yield* new CommentNotAssociatedToVideo()
      return yield* new CommentNotFound()
    })

    /** The channel a list is narrowed down to. */
    const channelOf = Effect.fnUntraced(function* (channelId: number) {
      const channel = yield* channels.byId(channelId)
      return Option.isNone(channel) ? yield* new VideoChannelNotFound() : channel.value
    })

    const notYours = (what: string) => new Forbidden({ reason: `You do not work on this ${what}` })

    return handlers.handleAll({
      getVideosComments: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const video = query.videoId === undefined ? undefined : yield* reads.access(query.videoId)
            if (query.videoChannelId !== undefined) yield* channelOf(query.videoChannelId)
            return jsonText(yield* lists.all(user.accountId, toManagedCommentsQuery(query, video?.id)))
          })
        ),
      getUsersMeVideosComments: ({ query, request }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const video =
              query.videoId === undefined
                ? undefined
                : yield* access.open(query.videoId, yield* presentedByUser(request))
            if (video !== undefined && !worksOn(video, user)) return yield* notYours("video")
            if (query.videoChannelId !== undefined) {
              const channel = yield* channelOf(query.videoChannelId)
              if (!mayOnChannel(user, "publish", channel)) return yield* notYours("channel")
            }
            return jsonText(yield* lists.mine(user.accountId, toManagedCommentsQuery(query, video?.id)))
          })
        ),
      getVideosCommentThreads: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const asked = yield* presentedByViewer(request)
            const page = toThreadListQuery(query)
            if (Option.isSome(asked.user)) {
              const ready = yield* threads.ready(params.id, page, asked.user.value.accountId)
              if (Option.isSome(ready)) {
                yield* access.check(ready.value, asked, namedBy(params.id))
                return jsonText(ready.value.body)
              }
            }
            // For everybody one statement does it; what a reader may see depends on the video.
            const reader = Option.isNone(asked.user)
              ? undefined
              : readerFor(yield* access.open(params.id, asked), asked.user)
            const found = yield* threads.list(params.id, page, reader)
            if (Option.isNone(found)) return yield* new VideoNotFound()
            if (reader === undefined) yield* access.check(found.value, asked, namedBy(params.id))
            return jsonText(found.value.body)
          })
        ),
      postVideosCommentThreads: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* talking(params.id, request)
            return jsonText(jsonMember("comment", yield* comments.write(user, video, payload)))
          })
        ),
      getVideosCommentThreadsByThreadId: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const bounds = toTreeBounds(query)
            yield* withinBudget(bounds.repliesPerLevel, bounds)
            const { reader, video } = yield* reading(params.id, request)
            const tree = yield* trees.thread(video.id, params.threadId, bounds, reader)
            if (Option.isSome(tree)) return jsonText(tree.value)
            const comment = yield* rows.facts(params.threadId)
            const isReply =
              Option.isSome(comment) &&
              comment.value.videoId === video.id &&
              comment.value.inReplyToCommentId !== null &&
              !comment.value.heldForReview
            return isReply ? yield* new CommentIsNoThread() : yield* absent(video.id, params.threadId)
          })
        ),
      listVideoCommentReplies: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const page = toReplyListQuery(query)
            yield* withinBudget(page.count, page)
            const { reader, video } = yield* reading(params.id, request)
            const replies = yield* trees.replies(video.id, params.commentId, page, reader)
            return Option.isSome(replies) ? jsonText(replies.value) : yield* absent(video.id, params.commentId)
          })
        ),
      postVideosCommentsByCommentId: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* talking(params.id, request)
            const text = yield* comments.write(user, video, { text: payload.text, inReplyTo: params.commentId })
            return jsonText(jsonMember("comment", text))
          })
        ),
      deleteVideosCommentsByCommentId: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* takingBack(params.id, params.commentId, request)
            yield* comments.remove(user, video, params.commentId)
          })
        ),
      postVideosCommentsApprove: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* talking(params.id, request)
            yield* comments.approve(user, video, params.commentId)
          })
        )
    } satisfies Answers<"comments">)
  })
)
