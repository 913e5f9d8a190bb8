import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeInstanceAccount } from "../../people/account/InstanceAccount.ts"
import { tagRules } from "../../people/tags/TagRules.ts"

/** How far comments were matched again: all up to this one of this video. */
export interface RetagPosition {
  readonly videoId: number
  readonly commentId: number
}

interface Said {
  readonly id: number
  readonly text: string
  readonly tagged: ReadonlyArray<string>
}

/** Matches comments again by the rules of an account, in bounded steps. */
export const commentRetags = (sql: SqlClient) => {
  const rulesOf = tagRules(sql)
  const instance = makeInstanceAccount(sql)

  /** The next video that has comments, of the account or of any. Its lock is that of whoever writes comments. */
  const videoAfter = Effect.fnUntraced(function* (accountId: number, isInstance: boolean, after: number) {
    const [next] = isInstance
      ? yield* sql<{ id: number | null }>`select min(video_id) as id from video_comment where video_id > ${after}`
      : yield* sql<{ id: number | null }>`
          select min(v.id) as id from video v where v.account_id = ${accountId} and not v.remote and v.id > ${after}
            and exists (select from video_comment c where c.video_id = v.id)`
    return next?.id ?? undefined
  })

  const write = Effect.fnUntraced(function* (
    accountId: number,
    said: ReadonlyArray<Said>,
    tags: ReadonlyArray<ReadonlyArray<string>>
  ) {
    const ids = said.map(({ id }) => id)
    const wanted = said.flatMap(({ id }, nth) => tags[nth]!.map((name) => ({ id, name })))
    const isSame = said.every(
      ({ tagged }, nth) =>
        [...tagged].sort().join("\n") ===
        tags[nth]!.map((it) => it.toLowerCase())
          .sort()
          .join("\n")
    )
    if (isSame) return
    yield* sql`delete from comment_automatic_tag where account_id = ${accountId} and comment_id = any(${ids}::integer[])`
    yield* sql`
      insert into comment_automatic_tag (comment_id, account_id, name)
      select w.id, ${accountId}, w.name
      from unnest(${wanted.map(({ id }) => id)}::integer[], ${wanted.map(({ name }) => name)}::text[]::citext[]) w (id, name)
      on conflict do nothing`
  })

  /** Comments of the position's video after the position. Below videos of others, what our users wrote. */
  const batch = Effect.fnUntraced(function* (
    retagging: { readonly accountId: number; readonly version: string },
    { commentId, videoId }: RetagPosition,
    count: number
  ) {
    const { accountId, version } = retagging
    const [video] = yield* sql<{ remote: boolean }>`select remote from video where id = ${videoId} for no key update`
    const rules = (yield* rulesOf([accountId])).get(accountId)
    if (rules?.version !== version) return "outdated"
    if (video === undefined) return undefined
    // Gathered first: the comments of a video are few beside all that an order by id would walk.
    const said = yield* sql<Said>`
      with c as materialized (
        select id, text from video_comment
        where video_id = ${videoId} and id > ${commentId} and deleted_at is null
          and (not ${video.remote}::boolean or server_id is null)
      )
      select c.id, c.text, array(
        select lower(t.name::text) from comment_automatic_tag t where t.comment_id = c.id and t.account_id = ${accountId}
      ) as tagged
      from c order by c.id limit ${count}`
    yield* write(
      accountId,
      said,
      said.map(({ text }) => rules.tagsOf([text]))
    )
    return said.length < count ? undefined : said.at(-1)!.id
  })

  /**
   * One step, in a transaction of the caller. Answers where to go on; undefined: everything is matched; "outdated": the words are
   * others by now.
   */
  const step = Effect.fnUntraced(function* (
    retagging: { readonly accountId: number; readonly version: string },
    from: RetagPosition,
    count: number
  ) {
    const { accountId } = retagging
    const isInstance = (yield* instance) === accountId
    const videoId = from.commentId > 0 ? from.videoId : yield* videoAfter(accountId, isInstance, from.videoId)
    if (videoId === undefined) return undefined
    const last = yield* batch(retagging, { videoId, commentId: from.commentId }, count)
    if (last === "outdated") return "outdated"
    return { videoId, commentId: last ?? 0 } satisfies RetagPosition
  })

  return { step }
}
