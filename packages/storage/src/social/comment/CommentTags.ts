import { AutomaticTagPolicy } from "@kinora/domain/enums/AutomaticTag"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeInstanceAccount } from "../../people/account/InstanceAccount.ts"
import { type TagRules, tagRules } from "../../people/tags/TagRules.ts"

/** A tag of a comment, by the rules of an account. */
export interface CommentTag {
  readonly accountId: number
  readonly name: string
}

/** What the rules make of a comment. */
export interface Tagging {
  readonly tags: ReadonlyArray<CommentTag>
  /** Tags for which the owner of the video reviews comments. */
  readonly reviewed: ReadonlyArray<string>
}

interface VideoRow {
  readonly id: number
  readonly remote: boolean
  readonly ownerId: number
}

const nothing: Tagging = { tags: [], reviewed: [] }

const taggingBy = (rules: ReadonlyArray<TagRules>, owner: TagRules | undefined) => {
  return (text: string): Tagging => {
    const tags = rules.flatMap((rule) => rule.tagsOf([text]).map((name) => ({ accountId: rule.accountId, name })))
    const ofOwner = tags.filter(({ accountId }) => accountId === owner?.accountId).map(({ name }) => name)
    return {
      tags,
      reviewed: ofOwner.filter((name) => owner?.isChosen(AutomaticTagPolicy.reviewComment, [name]) === true)
    }
  }
}

/** Tags comments by the rules of the instance, and below videos of ours by those of the video's owner. */
export const commentTags = (sql: SqlClient) => {
  const rulesOf = tagRules(sql)
  const instance = makeInstanceAccount(sql)

  /** How comments below each of these videos are tagged. Those of others below videos of others are not. */
  const below = Effect.fnUntraced(function* (videoIds: ReadonlyArray<number>, by: "us" | "others") {
    const videos = yield* sql<VideoRow>`
      select id, remote, account_id as "ownerId" from video where id = any(${videoIds}::integer[])`
    const ownId = yield* instance
    const tagged = videos.filter(({ remote }) => by === "us" || !remote)
    const owners = tagged.flatMap(({ ownerId, remote }) => (remote ? [] : [ownerId]))
    const rules =
      tagged.length === 0
        ? new Map<number, TagRules>()
        : yield* rulesOf(ownId === undefined ? owners : [ownId, ...owners])
    const ofInstance = ownId === undefined ? undefined : rules.get(ownId)
    const ways = new Map(
      tagged.map(({ id, ownerId, remote }) => {
        const owner = remote ? undefined : rules.get(ownerId)
        return [
          id,
          taggingBy(
            [ofInstance, owner].filter((it) => it !== undefined),
            owner
          )
        ] as const
      })
    )
    return (videoId: number, text: string): Tagging => ways.get(videoId)?.(text) ?? nothing
  })

  const add = Effect.fnUntraced(function* (tagged: ReadonlyArray<CommentTag & { readonly commentId: number }>) {
    if (tagged.length === 0) return
    yield* sql`
      insert into comment_automatic_tag (comment_id, account_id, name)
      select * from unnest(${tagged.map((it) => it.commentId)}::integer[], ${tagged.map((it) => it.accountId)}::integer[],
        ${tagged.map((it) => it.name)}::text[]::citext[])
      on conflict do nothing`
  })

  /** Replaces the tags of a comment; answers which are new. */
  const replace = Effect.fnUntraced(function* (commentId: number, tags: ReadonlyArray<CommentTag>) {
    const before = yield* sql<CommentTag>`
      delete from comment_automatic_tag where comment_id = ${commentId} returning account_id as "accountId", name::text as name`
    yield* add(tags.map((tag) => ({ ...tag, commentId })))
    const keyOf = ({ accountId, name }: CommentTag) => `${accountId} ${name.toLowerCase()}`
    const known = new Set(before.map(keyOf))
    return tags.filter((tag) => !known.has(keyOf(tag)))
  })

  return { below, add, replace }
}
