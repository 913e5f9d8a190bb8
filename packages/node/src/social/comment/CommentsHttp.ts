import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { toReplyListQuery, toThreadListQuery, toTreeBounds } from "@kinora/domain/requests/CommentRequests"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { jsonMember } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser, presentedByViewer } from "../../video/list/Presented.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { CommentedVideos } from "./CommentedVideos.ts"
import { CommentReading } from "./CommentReading.ts"
import { Comments } from "./Comments.ts"
import { ManagedComments } from "./ManagedComments.ts"

/** Comments and threads of videos. */
export const layer = apiGroup(
  "comments",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const commented = yield* CommentedVideos
    const comments = yield* Comments
    const managed = yield* ManagedComments
    const reading = yield* CommentReading

    /** The video a user may see, to say something below it. */
    const talking = Effect.fnUntraced(function* (id: VideoIdOrUuid, request: HttpServerRequest) {
      const user = yield* CurrentUser
      return { user, video: yield* access.open(id, yield* presentedByUser(request)) }
    })

    return handlers.handleAll({
      getVideosComments: ({ query }) =>
        answer(Effect.flatMap(CurrentUser, (user) => Effect.map(managed.all(user, query), jsonText))),
      getUsersMeVideosComments: ({ query, request }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            return jsonText(yield* managed.mine(user, query, yield* presentedByUser(request)))
          })
        ),
      getVideosCommentThreads: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const asked = yield* presentedByViewer(request)
            return jsonText(yield* reading.threads(params.id, toThreadListQuery(query), asked))
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
            const asked = yield* presentedByViewer(request)
            return jsonText(yield* reading.thread(params.id, params.threadId, toTreeBounds(query), asked))
          })
        ),
      listVideoCommentReplies: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const asked = yield* presentedByViewer(request)
            return jsonText(yield* reading.replies(params.id, params.commentId, toReplyListQuery(query), asked))
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
            const user = yield* CurrentUser
            const asked = yield* presentedByUser(request)
            const video = yield* commented.open(user, params.id, params.commentId, asked)
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
