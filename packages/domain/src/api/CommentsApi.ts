import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import {
  allCommentsQuery,
  CommentId,
  myCommentsQuery,
  replyListQuery,
  threadListQuery,
  threadQuery,
  writeComment
} from "../requests/CommentRequests.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { CommentReplies, CommentThreads, CommentTree, ManagedComments, WrittenComment } from "../wire/Comment.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

const threads = "/api/v1/videos/:id/comment-threads"
const comments = "/api/v1/videos/:id/comments"
const ofVideo = { id: VideoIdOrUuid }
const ofComment = { ...ofVideo, commentId: CommentId }

const refusals = problems(
  [400, "comment_not_associated_to_video"],
  [401, "video_requires_password"],
  [403, "incorrect_video_password"],
  404,
  409
)

/** What people say below videos. */
export class CommentsApi extends HttpApiGroup.make("comments", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideosComments", "/api/v1/videos/comments", {
      query: allCommentsQuery,
      success: ManagedComments
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List all comments", right: "SEE_ALL_COMMENTS", problems: problems(400, 403) }),
    HttpApiEndpoint.get("getUsersMeVideosComments", "/api/v1/users/me/videos/comments", {
      query: myCommentsQuery,
      success: ManagedComments
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the comments on the user's videos", problems: problems(400) }),
    HttpApiEndpoint.get("getVideosCommentThreads", threads, {
      params: ofVideo,
      query: threadListQuery,
      headers: videoPasswordHeader,
      success: CommentThreads
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the threads below a video", problems: videoProblems }),
    HttpApiEndpoint.post("postVideosCommentThreads", threads, {
      params: ofVideo,
      headers: videoPasswordHeader,
      payload: writeComment,
      success: WrittenComment
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Start a thread on a video", problems: { ...refusals, 429: [] } }),
    HttpApiEndpoint.get("getVideosCommentThreadsByThreadId", `${threads}/:threadId`, {
      params: { ...ofVideo, threadId: CommentId },
      query: threadQuery,
      headers: videoPasswordHeader,
      success: CommentTree
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "Get a thread as a tree, cut off where it has many replies or levels",
        problems: { ...videoProblems, 400: ["comment_not_associated_to_video"] }
      }),
    HttpApiEndpoint.get("listVideoCommentReplies", `${comments}/:commentId/replies`, {
      params: ofComment,
      query: replyListQuery,
      headers: videoPasswordHeader,
      success: CommentReplies
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "List the replies to a comment as trees, where a thread was cut off",
        problems: { ...videoProblems, 400: ["comment_not_associated_to_video"] }
      }),
    HttpApiEndpoint.post("postVideosCommentsByCommentId", `${comments}/:commentId`, {
      params: ofComment,
      headers: videoPasswordHeader,
      payload: writeComment,
      success: WrittenComment
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Reply to a comment", problems: { ...refusals, 429: [] } }),
    HttpApiEndpoint.delete("deleteVideosCommentsByCommentId", `${comments}/:commentId`, {
      params: ofComment,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a comment; its replies stay",
        rightOverOthers: "MANAGE_ANY_VIDEO_COMMENT",
        problems: refusals
      }),
    HttpApiEndpoint.post("postVideosCommentsApprove", `${comments}/:commentId/approve`, {
      params: ofComment,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Approve a comment held for review",
        rightOverOthers: "MANAGE_ANY_VIDEO_COMMENT",
        problems: refusals
      })
  )
  .annotate(OpenApi.Title, "Video Comments") {}
