import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Input, Output } from "../../api/Endpoints.ts"
import { me } from "../../session/Me.ts"

/** Who watches: a user below their videos, or the instance everywhere. */
export type Watcher = "user" | "instance"

export type WordList = Output<"GET /api/v1/watched-words/server/lists">["data"][number]
export type Tag = Output<"GET /api/v1/automatic-tags/server/available">["available"][number]

type ListQuery = NonNullable<Input<"GET /api/v1/watched-words/server/lists">["query"]>
type NewList = Input<"POST /api/v1/watched-words/server/lists">["body"]
type Page = Output<"GET /api/v1/watched-words/server/lists">

/** What is asked of the server for a watcher. */
interface Watching {
  readonly lists: (query: ListQuery, signal: AbortSignal) => Promise<Answer<Page>>
  readonly add: (list: NewList) => Promise<Answer>
  readonly update: (listId: number, list: NewList) => Promise<Answer>
  readonly remove: (listId: number) => Promise<Answer>
  readonly tags: (signal: AbortSignal) => Promise<Answer<{ readonly available: ReadonlyArray<Tag> }>>
  /** Tags for which something is done: comments wait for review, or videos are blocked. */
  readonly chosen: (signal: AbortSignal) => Promise<Answer<ReadonlyArray<string>>>
  readonly choose: (names: ReadonlyArray<string>) => Promise<Answer>
}

const ofUser = (): Watching => {
  const accountName = me.value?.account.name ?? ""
  const params = { accountName }
  const lists = "/api/v1/watched-words/accounts/:accountName/lists"
  const policies = "/api/v1/automatic-tags/policies/accounts/:accountName/comments"
  return {
    lists: (query, signal) => call(`GET ${lists}`, { params, query, signal }),
    add: (body) => call(`POST ${lists}`, { params, body }),
    update: (listId, body) => call(`PUT ${lists}/:listId`, { params: { accountName, listId }, body }),
    remove: (listId) => call(`DELETE ${lists}/:listId`, { params: { accountName, listId } }),
    tags: (signal) => call("GET /api/v1/automatic-tags/accounts/:accountName/available", { params, signal }),
    chosen: async (signal) => {
      const answer = await call(`GET ${policies}`, { params, signal })
      return answer.ok ? { ...answer, body: answer.body.review } : answer
    },
    choose: (review) => call(`PUT ${policies}`, { params, body: { review } })
  }
}

const ofInstance = (): Watching => {
  const lists = "/api/v1/watched-words/server/lists"
  const policies = "/api/v1/automatic-tags/policies/server/videos"
  return {
    lists: (query, signal) => call(`GET ${lists}`, { query, signal }),
    add: (body) => call(`POST ${lists}`, { body }),
    update: (listId, body) => call(`PUT ${lists}/:listId`, { params: { listId }, body }),
    remove: (listId) => call(`DELETE ${lists}/:listId`, { params: { listId } }),
    tags: (signal) => call("GET /api/v1/automatic-tags/server/available", { signal }),
    chosen: async (signal) => {
      const answer = await call(`GET ${policies}`, { signal })
      return answer.ok ? { ...answer, body: answer.body.autoBlock } : answer
    },
    choose: (autoBlock) => call(`PUT ${policies}`, { body: { autoBlock } })
  }
}

/** The calls for the words and tags of the user who is logged in, or of the instance. */
export const watching = (by: Watcher): Watching => (by === "user" ? ofUser() : ofInstance())
