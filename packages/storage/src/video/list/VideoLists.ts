import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import type { VideoList } from "@kinora/domain/wire/Video"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { SlowSql } from "../../platform/database/SlowSql.ts"
import { makeVideoSearch } from "../search/VideoSearch.ts"
import { makeCountedTotals } from "../read/CountedTotals.ts"
import { makeKnownCounts } from "../read/KnownCounts.ts"
import { kindCounter } from "../read/ListCounts.ts"
import { isShown } from "../read/ShownVideos.ts"
import { makeVideoItems } from "../read/VideoItems.ts"
import { findListFacts, type ListFacts, makeTagUses, needsFacts } from "../read/ListFacts.ts"
import {
  countStatement,
  type HiddenCount,
  keptTotalOf,
  scheduledStatement,
  type Listing,
  type ListRow,
  type TotalSource,
  videoIdsStatement,
  type VideoListStatement,
  videoListStatement,
  watchedStatement
} from "../read/VideoListStatement.ts"
import type { VideoScope, VideoViewer } from "../read/VideoQuery.ts"

const noFacts: ListFacts = {}

/** The best leave out what the viewer has watched, unless the query says otherwise; lists of one's own leave out nothing. */
const withoutWatched = (query: VideoListQuery, viewer: VideoViewer | undefined, scope: VideoScope | undefined) =>
  query.sort.by === "best" && viewer !== undefined && scope?._tag !== "Mine"
    ? { excludeAlreadyWatched: true, ...query }
    : query

/** A page whose rows have its total. */
const pageOf = (total: number, data: string): Json<VideoList> => jsonOf(`{"total":${total},"data":[${data}]}`)

const withTotal = (page: { readonly first: ListRow | undefined; readonly data: string }) =>
  pageOf(page.first?.total ?? 0, page.data)

/** From here on, walking to where a page begins takes longer than what is to wait behind it. */
const deep = 300

/** Readings of a page while its videos are removed one after the other. */
const mostReadings = 6

/** Numbers of hidden videos that are remembered. */
const mostHidden = 1_000

/** Lists of videos as JSON text, `{"total":…,"data":[…]}` (contract: VideoListResponse), answered as it is. */
export class VideoLists extends Context.Service<
  VideoLists,
  {
    /**
     * One page. What only managers may ask for (`include`, `privacyOneOf`, `stateOneOf`) is taken as allowed: the caller
     * has checked. Sorted by `best`, what the viewer has watched is left out. With `skipCount` there is no `total`. Totals
     * are exact where nothing but safety for work and place filters, and for the videos of one account or channel; others may
     * be a minute old where counting takes long. With `includeScheduledLive`, lives that wait for an announced time are among
     * the others, in the order of the list: they are published when they were created.
     */
    list(
      query: VideoListQuery,
      viewer?: VideoViewer,
      scope?: VideoScope
    ): Effect.Effect<Json<VideoList>, DatabaseUnavailable>
    /** The ids of the videos of a page that searches for nothing, in its order. */
    ids(
      query: Omit<VideoListQuery, "search">,
      viewer?: VideoViewer,
      scope?: VideoScope
    ): Effect.Effect<ReadonlyArray<number>, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/reads/VideoLists") {
  static readonly layer = Layer.effect(
    VideoLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const slow = yield* SlowSql
      const serviceScope = yield* Effect.scope
      const totals = makeCountedTotals<SqlError>(serviceScope)
      const knownCounts = makeKnownCounts(sql, slow, serviceScope)
      const tagUses = makeTagUses(slow)
      const items = yield* makeVideoItems(sql, serviceScope)
      const search = makeVideoSearch({ sql: slow, totals: makeCountedTotals<SqlError>(serviceScope), items })
      const hidden = new Map<string, HiddenCount>()
      let instanceAccount: number | undefined

      /** The account in whose name the instance blocks; made at installation, never replaced. */
      const findInstanceAccount = Effect.map(
        sql<{ id: number }>`
          select c.id from account c join actor a on a.id = c.actor_id
          where a.server_id is null and a.type = 'Application' order by c.id limit 1`,
        (rows) => (instanceAccount = rows[0]?.id)
      ).pipe(
        // Who asks for a filter first need not wait for what everybody's totals come of.
        Effect.tap((id) =>
          Effect.forkIn(Effect.ignore(knownCounts(id === undefined ? [] : [id]), { log: "Debug" }), serviceScope)
        )
      )

      const remember = (key: string, row: ListRow | undefined) => {
        if (row?.version === undefined || row.version === null) return
        hidden.delete(key)
        hidden.set(key, { version: row.version, hidden: row.hidden ?? 0 })
        const first = hidden.keys().next()
        if (hidden.size > mostHidden && first.done !== true) hidden.delete(first.value)
      }

      const readPage = Effect.fnUntraced(function* (over: SqlClient, listing: Listing, total: TotalSource) {
        const { text, values } = videoListStatement(listing, total)
        const rows = yield* over.unsafe<ListRow>(text, values)
        const shown = rows.filter(isShown)
        const data = yield* items(shown, listing.query)
        return { first: rows[0], data: data.join(), isWhole: data.length === shown.length }
      })

      /** Again when a video was removed between the two readings: the next one takes its place, and the total fits. */
      const page = (over: SqlClient, listing: Listing, total: TotalSource) =>
        Effect.repeat(readPage(over, listing, total), { until: ({ isWhole }) => isWhole, times: mostReadings - 1 })

      const remembered = ({ text, values }: VideoListStatement) =>
        totals(
          JSON.stringify([text, values]),
          Effect.map(slow.unsafe<{ total: number }>(text, values), (rows) => rows[0]!.total)
        )

      /** As a sum over groups of videos if they have all columns of the filter; watched videos are counted separately. */
      const count = (listing: Listing): Effect.Effect<number, SqlError> => {
        const { blockerIds, facts, query, scope, viewer } = listing
        // Announced lives are few: they are counted one by one, and all others as without them.
        if (query.includeScheduledLive === true) {
          const { text, values } = scheduledStatement(listing)
          return Effect.zipWith(
            count({ ...listing, query: { ...query, includeScheduledLive: false } }),
            Effect.map(slow.unsafe<{ total: number }>(text, values), (rows) => rows[0]!.total),
            (published, scheduled) => published + scheduled,
            { concurrent: true }
          )
        }
        const watched = query.excludeAlreadyWatched === true ? viewer : undefined
        const ofKinds = kindCounter({ ...query, excludeAlreadyWatched: false }, viewer, scope, facts)
        if (ofKinds === undefined) return remembered(countStatement(listing))
        const all = includes(query.include ?? 0, VideoInclude.blockedOwner)
        const known = Effect.map(knownCounts(all ? [] : blockerIds), ofKinds)
        if (watched === undefined) return known
        return Effect.zipWith(
          known,
          remembered(watchedStatement(listing, watched.userId)),
          (total, seen) => Math.max(0, total - seen),
          { concurrent: true }
        )
      }

      const blockersOf = Effect.fnUntraced(function* (viewer: VideoViewer | undefined) {
        const instance = instanceAccount ?? (yield* findInstanceAccount)
        return [...(instance === undefined ? [] : [instance]), ...(viewer === undefined ? [] : [viewer.accountId])]
      })

      const listingOf = Effect.fnUntraced(function* (
        query: VideoListQuery,
        viewer: VideoViewer | undefined,
        scope: VideoScope | undefined,
        blockerIds: ReadonlyArray<number>
      ): Effect.fn.Return<Listing, SqlError> {
        const all = includes(query.include ?? 0, VideoInclude.blockedOwner)
        const facts = needsFacts(query, scope)
          ? yield* findListFacts(slow, query, scope, all ? [] : blockerIds, tagUses)
          : noFacts
        return { query, viewer, scope, blockerIds, facts }
      })

      const ids: VideoLists["Service"]["ids"] = Effect.fnUntraced(function* (asked, viewer, scope) {
        const query = withoutWatched(asked, viewer, scope)
        const { text, values } = videoIdsStatement(yield* listingOf(query, viewer, scope, yield* blockersOf(viewer)))
        const rows = yield* slow.unsafe<{ id: number }>(text, values)
        return rows.map(({ id }) => id)
      }, withDatabaseErrors)

      const list = Effect.fnUntraced(function* (asked: VideoListQuery, viewer?: VideoViewer, scope?: VideoScope) {
        const query = withoutWatched(asked, viewer, scope)
        const blockerIds = yield* blockersOf(viewer)
        if (query.search !== undefined) return yield* search({ query, viewer, scope, blockerIds }, query.search)
        const listing = yield* listingOf(query, viewer, scope, blockerIds)
        const { facts } = listing
        const kept = keptTotalOf(listing)
        if (kept !== undefined && !query.skipCount) {
          const key = JSON.stringify([kept, blockerIds])
          const counted = hidden.get(key)
          const over = counted === undefined || query.start >= deep ? slow : sql
          const found = yield* page(over, listing, { _tag: "kept", kept, counted })
          remember(key, found.first)
          return withTotal(found)
        }
        if (query.skipCount)
          return jsonOf<VideoList>(`{"data":[${(yield* page(slow, listing, { _tag: "none" })).data}]}`)
        if (scope !== undefined && (scope._tag !== "Subscriptions" || facts.few?.whole === "subscriptions"))
          return withTotal(yield* page(slow, listing, { _tag: "counted" }))
        const [total, found] = yield* Effect.all([count(listing), page(slow, listing, { _tag: "none" })], {
          concurrency: 2
        })
        return pageOf(total, found.data)
      }, withDatabaseErrors)

      return VideoLists.of({ list, ids })
    })
  )
}
