import { AutomaticTagPolicy } from "@kinora/domain/enums/AutomaticTag"
import type { UserRole } from "@kinora/domain/enums/UserRole"
import { VideoBlockType } from "@kinora/domain/enums/VideoBlockType"
import { isHeldForReview } from "@kinora/domain/users/VideoReview"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { makeInstanceAccount } from "../account/InstanceAccount.ts"
import { tagRules } from "./TagRules.ts"

/** What of a video is compared with watched words. */
interface VideoText {
  readonly id: number
  readonly texts: ReadonlyArray<string>
  readonly tagged: ReadonlyArray<string>
}

/** The account by whom a video is written or changed. */
type Writer = { readonly accountId: number } | { readonly userId: number }

/** Tags videos of this instance by the instance's rules. Each takes part in the caller's transaction. */
export const videoTags = (sql: SqlClient) => {
  const rulesOf = tagRules(sql)
  const instance = makeInstanceAccount(sql)

  const textsOf = (accountId: number, videoIds: ReadonlyArray<number>) => sql<VideoText>`
    select v.id, array_remove(array[v.name, v.description, v.support], null) || array(
      select t.name::text from video_tag vt join tag t on t.id = vt.tag_id where vt.video_id = v.id
    ) as texts, array(
      select a.name::text from video_automatic_tag a where a.video_id = v.id and a.account_id = ${accountId}
    ) as tagged
    from video v where v.id = any(${videoIds}::integer[]) and not v.remote`

  const matched = Effect.fnUntraced(function* (videoIds: ReadonlyArray<number>) {
    const accountId = yield* instance
    const rules = accountId === undefined ? undefined : (yield* rulesOf([accountId])).get(accountId)
    if (accountId === undefined || rules === undefined) return undefined
    const videos = yield* textsOf(accountId, videoIds)
    const changes = videos.map(({ id, tagged, texts }) => {
      const tags = rules.tagsOf(texts)
      const wanted = new Set(tags.map((tag) => tag.toLowerCase()))
      const known = new Set(tagged.map((tag) => tag.toLowerCase()))
      return {
        id,
        added: tags.filter((tag) => !known.has(tag.toLowerCase())),
        gone: tagged.filter((tag) => !wanted.has(tag.toLowerCase()))
      }
    })
    return { accountId, rules, changes }
  })

  const write = Effect.fnUntraced(function* (found: {
    readonly accountId: number
    readonly changes: ReadonlyArray<{
      readonly id: number
      readonly added: ReadonlyArray<string>
      readonly gone: ReadonlyArray<string>
    }>
  }) {
    const { accountId, changes } = found
    const pairs = (of: "added" | "gone") => {
      const rows = changes.flatMap((change) => change[of].map((name) => ({ id: change.id, name })))
      return { ids: rows.map(({ id }) => id), names: rows.map(({ name }) => name) }
    }
    const gone = pairs("gone")
    if (gone.ids.length > 0) {
      yield* sql`
        delete from video_automatic_tag t using unnest(${gone.ids}::integer[], ${gone.names}::text[]::citext[]) g (id, name)
        where t.account_id = ${accountId} and t.video_id = g.id and t.name = g.name`
    }
    const added = pairs("added")
    if (added.ids.length === 0) return
    yield* sql`
      insert into video_automatic_tag (video_id, account_id, name)
      select a.id, ${accountId}, a.name from unnest(${added.ids}::integer[], ${added.names}::text[]::citext[]) a (id, name)
      on conflict do nothing`
  })

  const isExempt = Effect.fnUntraced(function* (writer: Writer) {
    const one = "userId" in writer ? sql`u.id = ${writer.userId}` : sql`a.id = ${writer.accountId}`
    const [user] = yield* sql<{ role: UserRole; adminFlags: number }>`
      select u.role, u.admin_flags as "adminFlags" from account a join app_user u on u.id = a.user_id where ${one}`
    return user === undefined || !isHeldForReview(user)
  })

  /** What nobody has seen yet is kept from other instances as well; what they have stays as it was until it is decided. */
  const block = (videoId: number, tags: ReadonlyArray<string>) => sql`
    insert into video_blacklist (video_id, type, internal_note, unfederated)
    select id, ${VideoBlockType.tagPolicy}, ${`Automatic tags: ${tags.join(", ")}`}, not announced from video where id = ${videoId}
    on conflict (video_id) do nothing`

  /**
   * Tags videos that were written or changed. Where a new tag is one of those the instance chose, a video is blocked, unless videos
   * of who wrote it are never blocked automatically.
   */
  const settle = Effect.fnUntraced(function* (
    videoIds: ReadonlyArray<number>,
    writer: Writer
  ): Effect.fn.Return<void, SqlError> {
    const found = videoIds.length === 0 ? undefined : yield* matched(videoIds)
    if (found === undefined) return
    yield* write(found)
    const blocked = found.changes.flatMap(({ added, id }) => {
      const tags = added.filter((tag) => found.rules.isChosen(AutomaticTagPolicy.blockVideo, [tag]))
      return tags.length === 0 ? [] : [{ id, tags }]
    })
    if (blocked.length === 0 || (yield* isExempt(writer))) return
    for (const { id, tags } of blocked) yield* block(id, tags)
  })

  /**
   * Tags videos again, up to so many after one in the order of ids, if the instance's words are still those of a version. Answers
   * the last of them; undefined: there are no more, or the words are others.
   */
  const retag = Effect.fnUntraced(function* (version: string, after: number, count: number) {
    const held = yield* sql<{ id: number }>`
      select id from video where not remote and id > ${after} order by id limit ${count} for no key update`
    const last = held.at(-1)
    if (last === undefined) return undefined
    const found = yield* matched(held.map(({ id }) => id))
    if (found?.rules.version !== version) return undefined
    yield* write(found)
    return last.id
  })

  return { settle, retag }
}
