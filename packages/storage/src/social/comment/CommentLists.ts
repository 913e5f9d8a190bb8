import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ManagedCommentsQuery } from "@kinora/domain/requests/CommentRequests"
import { labelled } from "@kinora/domain/enums/Labelled"
import { type VideoState, videoStateLabels } from "@kinora/domain/enums/VideoState"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { ManagedComment } from "@kinora/domain/wire/Comment"
import { jsonOf, type JsonPage } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { SlowSql } from "../../platform/database/SlowSql.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { type ActorRow, actorSummary } from "../../people/actor/ActorJson.ts"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import {
  authorColumn,
  authorTables,
  authorTexts,
  type AuthoredRow,
  closing,
  commentColumns,
  commentHead
} from "./CommentJson.ts"
import { makeInstanceBlocker } from "./InstanceBlocker.ts"

interface ManagedRow extends AuthoredRow {
  readonly videoId: number
  readonly videoUuid: string
  readonly videoName: string
  readonly videoState: VideoState
  readonly channelActorId: number
  readonly automaticTags: ReadonlyArray<string>
}

type FoundRow = { readonly total: number } & (ManagedRow | { readonly id: null })

/** The one row of an empty page is none. */
const isComment = (row: FoundRow): row is FoundRow & ManagedRow => row.id !== null

/** What stands after the author of a comment for who looks after its video. */
const managedMembers = (
  row: ManagedRow,
  channel: ActorRow
): Pick<typeof ManagedComment.Encoded, "video" | "automaticTags"> => ({
  video: {
    id: row.videoId,
    uuid: row.videoUuid,
    shortUUID: toShortUuid(row.videoUuid),
    name: row.videoName,
    state: labelled(row.videoState, videoStateLabels),
    channel: actorSummary(channel)
  },
  automaticTags: row.automaticTags
})

/** Comments for those who look after videos. What was deleted is in no list. */
export class CommentLists extends Context.Service<
  CommentLists,
  {
    /**
     * Below the videos of an account, with those of channels it works on when the query asks for these. Automatic tags are
     * the account's.
     */
    readonly mine: (
      accountId: number,
      query: ManagedCommentsQuery
    ) => Effect.Effect<JsonPage<ManagedComment>, DatabaseUnavailable>
    /** All, for a moderator's account: without those it or the instance blocks, unless the query includes them. */
    readonly all: (
      accountId: number,
      query: ManagedCommentsQuery
    ) => Effect.Effect<JsonPage<ManagedComment>, DatabaseUnavailable>
  }
>()("@kinora/storage/comments/CommentLists") {
  static readonly layer = Layer.effect(
    CommentLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const slow = yield* SlowSql
      const blockersOf = makeInstanceBlocker(sql)
      const columns = sql.literal(`${commentColumns}, ${authorColumn}`)

      const accountsNamed = (search: string) => sql`
        select x.id from account x join actor y on y.id = x.actor_id
        where search_text(x.display_name) like search_pattern(${search})
          or search_text(y.preferred_username::text) like search_pattern(${search})`

      /** What every list is narrowed down by. */
      const filters = (query: ManagedCommentsQuery, taggers: ReadonlyArray<number>) => {
        const { autoTagOneOf, isHeldForReview, search = "", searchAccount = "", searchVideo = "" } = query
        return [
          sql`c.deleted_at is null`,
          ...(isHeldForReview === undefined ? [] : [sql`c.held_for_review = ${isHeldForReview}`]),
          ...(query.videoId === undefined ? [] : [sql`c.video_id = ${query.videoId}`]),
          ...(query.videoChannelId === undefined ? [] : [sql`v.channel_id = ${query.videoChannelId}`]),
          ...(search === ""
            ? []
            : [
                sql`(search_text(c.text) like search_pattern(${search})
                  or c.account_id = any(array(${accountsNamed(search)})))`
              ]),
          ...(searchAccount === "" ? [] : [sql`c.account_id = any(array(${accountsNamed(searchAccount)}))`]),
          ...(searchVideo === "" ? [] : [sql`search_text(v.name) like search_pattern(${searchVideo})`]),
          ...(autoTagOneOf === undefined
            ? []
            : [
                sql`c.id in (select t.comment_id from comment_automatic_tag t
                  where t.account_id = any(${taggers}) and t.name = any(${autoTagOneOf}::text[]::citext[]))`
              ])
        ]
      }

      const page = Effect.fnUntraced(function* (
        conditions: ReturnType<typeof filters>,
        taggers: ReadonlyArray<number>,
        query: ManagedCommentsQuery
      ) {
        const way = direction(sql, query.sort.descending)
        const order = sql`c.created_at ${way}, c.id ${way}`
        const from = sql`from video_comment c join video v on v.id = c.video_id where ${sql.and(conditions)}`
        const found = yield* slow<FoundRow>`
          select t.total, x.* from (select count(*)::integer as total ${from}) t left join (
            select p.position, ${columns}, v.id as "videoId", v.uuid::text as "videoUuid", v.name as "videoName",
              v.state as "videoState", h.actor_id as "channelActorId", array(
                select a.name::text from (
                  select distinct t.name from comment_automatic_tag t
                  where t.comment_id = c.id and t.account_id = any(${taggers})
                ) a order by a.name
              ) as "automaticTags"
            from (
              select c.id, row_number() over (order by ${order}) as position ${from} order by ${order} ${limit(sql, query)}
            ) p join video_comment c on c.id = p.id join video v on v.id = c.video_id
              join video_channel h on h.id = v.channel_id ${sql.literal(authorTables)}
          ) x on true order by x.position`
        const rows = found.filter(isComment)
        const authors = yield* authorTexts(sql, rows)
        const channels = yield* actorRows(sql, [...new Set(rows.map(({ channelActorId }) => channelActorId))])
        const items = rows.map((row, n) => {
          const channel = channels.get(row.channelActorId)
          // Gone since the comments were read.
          if (channel === undefined) return undefined
          return jsonOf<ManagedComment>(`${commentHead(row)}${authors[n]}${closing(managedMembers(row, channel))}`)
        })
        return textPage(found[0]!.total, items)
      })

      return CommentLists.of({
        mine: Effect.fn("CommentLists.mine")(function* (accountId, query) {
          const own = sql`v.account_id = ${accountId}`
          const shared = sql`v.channel_id in (
            select k.channel_id from video_channel_collaborator k where k.account_id = ${accountId} and k.state = 2)`
          const scope = query.includeCollaborations === true ? sql.or([own, shared]) : own
          return yield* page([sql`${scope}`, ...filters(query, [accountId])], [accountId], query)
        }, withDatabaseErrors),
        all: Effect.fn("CommentLists.all")(function* (accountId, query) {
          const blockers = yield* blockersOf({ accountId })
          const taggers = yield* blockersOf()
          const conditions = filters(query, taggers)
          if (query.isLocal !== undefined) {
            const local = sql`exists (select from account x where x.id = c.account_id and x.user_id is not null)`
            conditions.push(query.isLocal ? local : sql`not ${local}`)
          }
          if (query.onLocalVideo !== undefined) conditions.push(sql`v.remote = ${!query.onLocalVideo}`)
          if (query.includeMuted !== true) {
            conditions.push(sql`not exists (select from account_block b
              where b.account_id = any(${blockers}) and b.target_account_id = c.account_id)`)
            conditions.push(sql`not exists (select from server_block b
              where b.account_id = any(${blockers}) and b.server_id = c.server_id)`)
          }
          return yield* page(conditions, taggers, query)
        }, withDatabaseErrors)
      })
    })
  )
}
