import type { CommentThreads, CommentTree, VideoComment } from "@kinora/domain/wire/Comment"
import { type Answer, ask, json } from "../api/Answer.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { askAsUser } from "../session/Session.ts"

export type { CommentTree, VideoComment }

/** What a list is sorted by (contract: SortableColumns.commentThreads). */
export type ThreadSort = "-createdAt" | "-totalReplies"

/** An answer whose body, when it is a success, is what the contract says. */
export type Typed<A> = (Answer & { readonly ok: true; readonly body: A }) | (Answer & { readonly ok: false })

/** Comments of one video, asked for as the user who is logged in, with what opens the video. */
export interface CommentApi {
  readonly threads: (start: number, sort: ThreadSort) => Promise<Typed<CommentThreads>>
  readonly thread: (id: number) => Promise<Typed<CommentTree>>
  readonly replies: (
    id: number,
    start: number
  ) => Promise<Typed<{ readonly total: number; readonly data: ReadonlyArray<CommentTree> }>>
  /** Begins a thread, or replies. */
  readonly write: (text: string, to: number | undefined) => Promise<Typed<{ readonly comment: VideoComment }>>
  readonly remove: (id: number) => Promise<Answer>
  readonly approve: (id: number) => Promise<Answer>
}

/** The contract's bodies are trusted to be what it says: they are of our own server. */
const typed = async <A>(answer: Promise<Answer>): Promise<Typed<A>> => (await answer) as Typed<A>

export const createCommentApi = (video: string, headers: () => Record<string, string>): CommentApi => {
  const path = `/api/v1/videos/${encodeURIComponent(video)}`
  const send = (address: string, init: RequestInit = {}): Promise<Answer> => {
    const all = { ...init, headers: { ...(init.headers as Record<string, string> | undefined), ...headers() } }
    return isLoggedIn() ? askAsUser(`${path}${address}`, all) : ask(`${path}${address}`, all)
  }
  return {
    threads: (start, sort) => typed(send(`/comment-threads?start=${start}&count=15&sort=${sort}`)),
    thread: (id) => typed(send(`/comment-threads/${id}`)),
    replies: (id, start) => typed(send(`/comments/${id}/replies?start=${start}&count=15`)),
    write: (text, to) => typed(send(to === undefined ? "/comment-threads" : `/comments/${to}`, json("POST", { text }))),
    remove: (id) => send(`/comments/${id}`, { method: "DELETE" }),
    approve: (id) => send(`/comments/${id}/approve`, { method: "POST" })
  }
}
