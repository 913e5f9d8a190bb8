import type { CommentTree, VideoComment } from "@kinora/domain/wire/Comment"
import type { Answer } from "../api/Answer.ts"
import { call } from "../api/Call.ts"
import type { Output } from "../api/Endpoints.ts"

export type { CommentTree, VideoComment }

/** What a list is sorted by (contract: SortableColumns.commentThreads). */
export type ThreadSort = "-createdAt" | "-totalReplies"

/** Comments of one video, asked for as the user who is logged in, with what opens the video. */
export interface CommentApi {
  readonly threads: (
    start: number,
    sort: ThreadSort
  ) => Promise<Answer<Output<"GET /api/v1/videos/:id/comment-threads">>>
  readonly thread: (id: number) => Promise<Answer<CommentTree>>
  readonly replies: (
    id: number,
    start: number
  ) => Promise<Answer<Output<"GET /api/v1/videos/:id/comments/:commentId/replies">>>
  /** Begins a thread, or replies. */
  readonly write: (text: string, to: number | undefined) => Promise<Answer<{ readonly comment: VideoComment }>>
  readonly remove: (id: number) => Promise<Answer>
  readonly approve: (id: number) => Promise<Answer>
}

const perPage = 15

export const createCommentApi = (id: string, headersNow: () => Record<string, string>): CommentApi => {
  const of = (commentId: number) => ({ params: { id, commentId }, headers: headersNow() })
  return {
    threads: (start, sort) =>
      call("GET /api/v1/videos/:id/comment-threads", {
        params: { id },
        query: { start, count: perPage, sort },
        headers: headersNow()
      }),
    thread: (threadId) =>
      call("GET /api/v1/videos/:id/comment-threads/:threadId", { params: { id, threadId }, headers: headersNow() }),
    replies: (comment, start) =>
      call("GET /api/v1/videos/:id/comments/:commentId/replies", { ...of(comment), query: { start, count: perPage } }),
    write: (text, to) =>
      to === undefined
        ? call("POST /api/v1/videos/:id/comment-threads", { params: { id }, body: { text }, headers: headersNow() })
        : call("POST /api/v1/videos/:id/comments/:commentId", { ...of(to), body: { text } }),
    remove: (comment) => call("DELETE /api/v1/videos/:id/comments/:commentId", of(comment)),
    approve: (comment) => call("POST /api/v1/videos/:id/comments/:commentId/approve", of(comment))
  }
}
