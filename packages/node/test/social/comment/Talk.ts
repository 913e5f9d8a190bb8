import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Answer, send } from "../../instance/about/Client.ts"

/** Sends JSON as somebody, or as nobody. */
export const ask = (method: string, path: string, token?: string, body?: unknown) =>
  send(`/api/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

/** Writes a comment that is accepted, and gives it as it was answered. */
export const say = Effect.fn("say")(function* (token: string, video: string | number, text: string, to?: number) {
  const path = to === undefined ? `/videos/${video}/comment-threads` : `/videos/${video}/comments/${to}`
  const answer = yield* ask("POST", path, token, { text })
  if (answer.status !== 200) return yield* Effect.die(`${answer.status} ${answer.text}`)
  return answer.json.comment as { readonly id: number; readonly heldForReview: boolean; readonly threadId: number }
})

/** Has the author of a comment say so many more things below its video, faster than by requests. */
export const sayMore = Effect.fn("sayMore")(function* (commentId: number, text: string, count: number) {
  const sql = yield* SqlClient
  yield* sql`
    insert into video_comment (url, video_id, account_id, text, held_for_review, shown)
    select c.url || '/' || n, c.video_id, c.account_id, ${text}::text || ' ' || n, false, true
    from video_comment c, generate_series(1, ${count}::integer) n where c.id = ${commentId}`
  yield* sql`
    update video set comments = comments + ${count}::integer
    where id = (select video_id from video_comment where id = ${commentId})`
})

export const threads = (video: string | number, token?: string, query = "") =>
  ask("GET", `/videos/${video}/comment-threads${query}`, token)

export const tree = (video: string | number, thread: number, token?: string, query = "") =>
  ask("GET", `/videos/${video}/comment-threads/${thread}${query}`, token)

export const replies = (video: string | number, comment: number, token?: string, query = "") =>
  ask("GET", `/videos/${video}/comments/${comment}/replies${query}`, token)

export const drop = (video: string | number, comment: number, token: string) =>
  ask("DELETE", `/videos/${video}/comments/${comment}`, token)

export const approve = (video: string | number, comment: number, token: string) =>
  ask("POST", `/videos/${video}/comments/${comment}/approve`, token)

export const rate = (video: string | number, token: string, rating: string) =>
  ask("PUT", `/videos/${video}/rate`, token, { rating })

/** Texts of a list, in its order. */
export const texts = (answer: Answer): ReadonlyArray<string> =>
  (answer.json.data as ReadonlyArray<{ readonly text: string }>).map((comment) => comment.text)

/** What the details of a video count. */
export const counted = Effect.fn("counted")(function* (video: string | number) {
  const { comments, dislikes, likes } = (yield* ask("GET", `/videos/${video}`)).json
  return { comments, dislikes, likes } as {
    readonly comments: number
    readonly dislikes: number
    readonly likes: number
  }
})
