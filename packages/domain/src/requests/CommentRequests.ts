import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { maxId } from "../ids/Ids.ts"
import { AccountHandle } from "../ids/ActorHandle.ts"
import { videoReader } from "../ids/VideoIdOrUuid.ts"
import { defaultPage, pageReaders, type Sort } from "./Pagination.ts"
import { field } from "../fields/Field.ts"
import { jsonOrForm } from "./Payload.ts"
import { query, type QueryOf } from "./Query.ts"
import { boolean, integer, listOf, oneOf, text } from "../fields/Readers.ts"
import { rowId, userFields } from "./UserFields.ts"

const { comment } = constraints

/** Path parameter: a comment. */
export const CommentId = field(rowId("a comment"))

/** What is written: Markdown (contract: VideoCommentCreate). */
export const writeComment = jsonOrForm(
  Schema.Struct({
    text: field({
      ...text({ ...comment.text, message: `Must be a text of ${comment.text.min} to ${comment.text.max} characters` }),
      parse: (input) => {
        const given = text({ ...comment.text, message: "" }).parse(input)
        return given === undefined || given.trim() === "" ? undefined : given
      }
    })
  })
)

const threadListReaders = pageReaders(["createdAt", "totalReplies"])

/** Query of the threads of a video. */
export const threadListQuery = query(threadListReaders)

export interface ThreadListQuery {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"createdAt" | "totalReplies">
}

export const toThreadListQuery = (given: QueryOf<typeof threadListReaders>): ThreadListQuery => ({
  ...defaultPage,
  sort: { by: "createdAt", descending: true },
  ...given
})

const { maxDepth, repliesPerLevel } = comment.tree

const treeReaders = {
  maxDepth: integer({
    min: 1,
    max: maxDepth.max,
    message: `Must be a whole number from 1 to ${maxDepth.max}`,
    documented: { default: maxDepth.default }
  }),
  repliesPerLevel: integer({
    min: 1,
    max: repliesPerLevel.max,
    message: `Must be a whole number from 1 to ${repliesPerLevel.max}`,
    documented: { default: repliesPerLevel.default }
  })
}

/** How much of a tree is answered. */
export interface TreeBounds {
  /** Levels below where the tree begins. */
  readonly maxDepth: number
  /** Direct replies of a comment. */
  readonly repliesPerLevel: number
}

/** Query of one thread. */
export const threadQuery = query(treeReaders)

export const toTreeBounds = (given: QueryOf<typeof treeReaders>): TreeBounds => ({
  maxDepth: given.maxDepth ?? maxDepth.default,
  repliesPerLevel: given.repliesPerLevel ?? repliesPerLevel.default
})

const replyReaders = { ...pageReaders(["createdAt"]), ...treeReaders }

/** Query of the replies to a comment. */
export const replyListQuery = query(replyReaders)

export interface ReplyListQuery extends TreeBounds {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"createdAt">
}

/** The oldest first, as in a tree: a page goes on where the tree was cut off. */
export const toReplyListQuery = (given: QueryOf<typeof replyReaders>): ReplyListQuery => ({
  ...defaultPage,
  sort: { by: "createdAt", descending: false },
  ...given,
  ...toTreeBounds(given)
})

/** How many comments a tree could have at most that begins with so many (contract: CommentTree.budgetFormula). */
export const treeBudget = (count: number, bounds: TreeBounds): number =>
  bounds.repliesPerLevel === 1
    ? count * bounds.maxDepth
    : (count * (bounds.repliesPerLevel ** bounds.maxDepth - 1)) / (bounds.repliesPerLevel - 1)

const names = listOf(text({ min: 1, max: 100, message: "" }), "Must be one or more texts of at most 100 characters", {
  anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }]
})

const managedReaders = {
  ...pageReaders(["createdAt"]),
  search: userFields.search,
  searchAccount: userFields.search,
  searchVideo: userFields.search,
  videoId: videoReader,
  videoChannelId: integer({ min: 1, max: maxId, message: "Must be the id of a channel" }),
  autoTagOneOf: names,
  isHeldForReview: boolean()
}

const myReaders = { ...managedReaders, includeCollaborations: boolean() }
const allReaders = { ...managedReaders, isLocal: boolean(), onLocalVideo: boolean(), includeMuted: boolean() }

/** Query of the comments below one's own videos. */
export const myCommentsQuery = query(myReaders)

/** Query of all comments, for moderators. */
export const allCommentsQuery = query(allReaders)

/** What a list of comments is asked for, defaults filled in: the newest first. */
export interface ManagedCommentsQuery extends Omit<
  QueryOf<typeof allReaders> & QueryOf<typeof myReaders>,
  "start" | "count" | "sort" | "videoId"
> {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"createdAt">
  /** Row id of the only video whose comments are listed. */
  readonly videoId: number | undefined
}

/** Fills in defaults; which video the query names was looked up before. */
export const toManagedCommentsQuery = (
  given: QueryOf<typeof allReaders> | QueryOf<typeof myReaders>,
  videoId: number | undefined
): ManagedCommentsQuery => ({ ...defaultPage, sort: { by: "createdAt", descending: true }, ...given, videoId })

/** Where comments of an account are removed (contract: BulkScope). */
const bulkScopes = ["my-videos", "my-videos-and-collaborations", "instance"] as const
export type BulkScope = (typeof bulkScopes)[number]

export const removeCommentsOf = jsonOrForm(
  Schema.Struct({
    accountName: AccountHandle,
    scope: field(oneOf(bulkScopes, `Must be one of ${bulkScopes.join(", ")}`))
  })
)
