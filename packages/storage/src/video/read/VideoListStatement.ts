import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { accountBlocked, noneBlocked, serverBlocked } from "../../people/account/OwnerBlocks.ts"
import type { Few, ListFacts } from "./ListFacts.ts"
import { asksForMore, type KeptTotal, videoFilter } from "./VideoFilters.ts"
import { inList, type Traversal } from "./VideoConditions.ts"
import { type ShownVideo, shownVideo } from "./ShownVideos.ts"
import { Parameters, subscribedChannels, type VideoScope, type VideoViewer } from "./VideoQuery.ts"
import { scheduledLives } from "./ScheduledLives.ts"
import { orderBy } from "./VideoSorts.ts"

/** A statement with its values. */
export interface VideoListStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Conditions on `video v` that none of these accounts blocks who made it. */
export const notBlocked = (blockers: string, way: keyof typeof noneBlocked): ReadonlyArray<string> =>
  noneBlocked[way]("v.account_id", "v.server_id", `${blockers}::int[]`)

const where = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "true" : conditions.join(" and ")

/**
 * The bounds of a first page stand in the text: with a parameter as its limit the planner assumes a tenth of the table,
 * and so plans anew at each call instead of keeping a plan. They are integers that were decoded as such.
 */
const page = (query: VideoListQuery, parameters: Parameters): string =>
  query.start === 0
    ? `limit ${Math.trunc(query.count)}`
    : `limit ${parameters.add(query.count)} offset ${parameters.add(query.start)}`

/** A video of a page as the statement of a list reads it. */
export interface ListedVideo extends ShownVideo {
  /** Whether the reader or the instance blocks the owner, and its instance: where the query asks for it. */
  readonly blockedOwner?: boolean
  readonly blockedServer?: boolean
}

/**
 * What a list shows of the video whose id is `p.id`: a join, and columns of `ListedVideo` besides those of `shown`, each
 * after a comma.
 */
export const listedVideo = (
  query: VideoListQuery,
  viewer: VideoViewer | undefined,
  scope: VideoScope | undefined,
  blockers: string,
  parameters: Parameters
) => {
  const history =
    viewer === undefined
      ? ""
      : `, (select h.current_time_seconds from user_video_history h
          where h.user_id = ${parameters.add(viewer.userId)} and h.video_id = p.id) as "currentTime"`
  const blocked = includes(query.include ?? 0, VideoInclude.blockedOwner)
    ? `, (select ${accountBlocked("v.account_id", `${blockers}::int[]`)} from video v where v.id = p.id) as "blockedOwner",
        (select ${serverBlocked("v.server_id", `${blockers}::int[]`)} from video v where v.id = p.id) as "blockedServer"`
    : ""
  return {
    join: shownVideo("p.id", scope?._tag === "Mine" || asksForMore(query)),
    columns: history + blocked
  }
}

/** What is listed for whom. `blockerIds` are the accounts whose blocks count: the viewer's and the instance's. */
export interface Listing {
  readonly query: VideoListQuery
  readonly viewer: VideoViewer | undefined
  readonly scope: VideoScope | undefined
  readonly blockerIds: ReadonlyArray<number>
  readonly facts: ListFacts
}

/** How many the blocks hide, as it was counted at a version of all that decides it. */
export interface HiddenCount {
  readonly version: string
  readonly hidden: number
}

/**
 * Where the total of a page comes from: nowhere, `kept` by the database less what blocks hide (of which `counted` is
 * remembered), or counted with the page.
 */
export type TotalSource =
  | { readonly _tag: "none" }
  | { readonly _tag: "kept"; readonly kept: KeptTotal; readonly counted: HiddenCount | undefined }
  | { readonly _tag: "counted" }

const plain = { start: 0, count: 0, sort: { by: "publishedAt", descending: true }, skipCount: false } as const

/** The kept total that a listing has, where nothing filters it. */
export const keptTotalOf = ({ query, scope, viewer }: Listing): KeptTotal | undefined =>
  videoFilter(query, viewer, scope, new Parameters()).total

/** Sorts whose columns `video_document` has. */
const narrowSorts: ReadonlySet<VideoSortColumn> = new Set(["publishedAt", "originallyPublishedAt", "duration", "match"])

/** Whether the narrow rows of `video_document` have all that is filtered and sorted by. */
const isNarrow = ({ hasHLSFiles, hasWebVideoFiles, sort }: VideoListQuery): boolean =>
  hasHLSFiles === undefined && hasWebVideoFiles === undefined && narrowSorts.has(sort.by)

/** Few rows, looked up in the order of their ids: a join with them would read an index of all videos. */
const gathered = (few: Few, parameters: Parameters): string =>
  `v.id = any(array(${few.select(parameters)} limit 40000))`

/**
 * What to count, where a filter of tags or few rows leave no more than some hundred thousands. Undefined where narrow rows
 * have not all that is filtered by, or it is quicker to read an index of all.
 */
const narrowSource = (listing: Listing, blockers: string, parameters: Parameters): string | undefined => {
  const { facts, query, scope, viewer } = listing
  const isTagged = query.tagsOneOf !== undefined || query.tagsAllOf !== undefined
  if (!isNarrow(query) || scope !== undefined || (facts.few === undefined && !isTagged)) return undefined
  const few = facts.few === undefined ? [] : [gathered(facts.few, parameters)]
  const traversal = facts.few === undefined ? "gather" : "gathered"
  const { conditions } = videoFilter(query, viewer, scope, parameters, inList(facts, traversal))
  const blocked = includes(query.include ?? 0, VideoInclude.blockedOwner) ? [] : notBlocked(blockers, "hashed")
  return `video_document v where ${where([...few, ...conditions, ...blocked])}`
}

/** Rows to look at and conditions on them; few rows that have something in common are gathered first. */
const source = (listing: Listing, blockers: string, parameters: Parameters, counting: boolean): string => {
  const { facts, query, scope, viewer } = listing
  const inOrder = query.sort.by === "publishedAt" || query.sort.by === "match"
  const walks = inOrder && !counting
  const isSpread = scope === undefined || scope._tag === "Subscriptions"
  const few = isSpread && !(walks && facts.few?.ordered === true) ? facts.few : undefined
  const each = scope?._tag === "Subscriptions" && few === undefined && facts.byChannel === true && walks
  const rows = few !== undefined && isNarrow(query) ? "video_document v" : "video v"
  const traversal: Traversal =
    few !== undefined ? "gathered" : each ? "each" : !isSpread || walks ? "walk" : counting ? "gather" : "opaque"
  const { conditions } = videoFilter(query, viewer, scope, parameters, inList(facts, traversal))
  const all = scope?._tag === "Mine" || includes(query.include ?? 0, VideoInclude.blockedOwner)
  const those = few === undefined ? [] : [gathered(few, parameters)]
  const way = counting ? "hashed" : few === undefined ? "lookups" : "either"
  const shown = where([...those, ...conditions, ...(all ? [] : notBlocked(blockers, way))])
  if (each) {
    const { count, start } = query
    const most = start === 0 ? Math.trunc(count) : parameters.add(start + count)
    return `(${subscribedChannels(scope, parameters)}) s cross join lateral (
      select v.id, v.published_at from video v where ${shown} order by ${orderBy(query.sort)} limit ${most}
    ) v where true`
  }
  const text = `${rows} where ${shown}`
  // A subquery of its own is not planned by the order of what is around it: its rows are gathered by their filter.
  return facts.fewOurs === true && few === undefined && !inOrder
    ? `(select v.* from ${text} offset 0) v where true`
    : text
}

/** Counts what a listing has, as `total`. Statements of the same text and values count the same. */
export const countStatement = (listing: Listing): VideoListStatement => {
  const parameters = new Parameters()
  const blockers = parameters.add(listing.blockerIds)
  const counted = { ...listing, query: { ...listing.query, ...plain } }
  const rows = narrowSource(counted, blockers, parameters) ?? source(counted, blockers, parameters, true)
  // Named even where no block counts: each value has its place in the text.
  return {
    text: `select count(*) as total from ${rows} and cardinality(${blockers}::int[]) >= 0`,
    values: parameters.values
  }
}

/** Counts what a viewer has watched of what a listing would have with it, as `total`. */
export const watchedStatement = (listing: Listing, userId: number): VideoListStatement => {
  const { facts, query, scope, viewer } = listing
  const parameters = new Parameters()
  const blockers = parameters.add(listing.blockerIds)
  const unwatched = { ...query, ...plain, excludeAlreadyWatched: false }
  const { conditions } = videoFilter(unwatched, viewer, scope, parameters, inList(facts, "gathered"))
  const all = includes(query.include ?? 0, VideoInclude.blockedOwner)
  return {
    text: `select count(*) as total from video v where v.id = any(array(
        select h.video_id from user_video_history h where h.user_id = ${parameters.add(userId)}
      )) and ${where([...conditions, ...(all ? [] : notBlocked(blockers, "either"))])} and cardinality(${blockers}::int[]) >= 0`,
    values: parameters.values
  }
}

/** Counts the announced lives that a listing has besides what is published, as `total`. */
export const scheduledStatement = (listing: Listing): VideoListStatement => {
  const { facts, query, scope, viewer } = listing
  const parameters = new Parameters()
  const blockers = parameters.add(listing.blockerIds)
  const { conditions } = videoFilter({ ...query, ...plain }, viewer, scope, parameters, inList(facts, "gathered"))
  const all = includes(query.include ?? 0, VideoInclude.blockedOwner)
  return {
    text: `select count(*) as total from video v where v.id = any(array(${scheduledLives(viewer, true)})) and v.state = 4
        and ${where([...conditions, ...(all ? [] : notBlocked(blockers, "either"))])} and cardinality(${blockers}::int[]) >= 0`,
    values: parameters.values
  }
}

/** The kept total, and in a common table `hidden` what blocks hide of it with the version at which that is right. */
const keptSource = (
  kept: KeptTotal,
  counted: HiddenCount | undefined,
  all: boolean,
  blockers: string,
  parameters: Parameters
): string => {
  const conditions = [
    `visible >= ${kept.least}`,
    ...(kept.nsfw === undefined ? [] : [`nsfw = ${kept.nsfw}`]),
    ...(kept.remote === undefined ? [] : [`remote = ${kept.remote}`])
  ]
  const sum = `coalesce(sum(change) filter (where ${where(conditions)}), 0) as kept`
  if (all) return `with hidden as (select ${sum}, null as version, 0::bigint as hidden from video_total)`
  return `with total as materialized (
      select ${sum}, coalesce(sum(id), 0) || '/' || count(*) as rows from video_total
    ), blocks as materialized (
      select string_agg(account_id || ':' || version, ',' order by account_id) as versions from block_version
      where account_id = any(${blockers}::int[])
    ), hidden as materialized (
      select kept, rows || '/' || versions as version, case
        when versions is null then 0
        when rows || '/' || versions = ${parameters.add(counted?.version ?? null)}::text
          then ${parameters.add(counted?.hidden ?? 0)}::bigint
        else hidden_total(${blockers}::int[], ${kept.least}::smallint, ${kept.nsfw ?? "null"}, ${kept.remote ?? "null"})
      end as hidden from total, blocks
    )`
}

/** Named even where no block counts: each value has its place in the text. */
const idsOfPage = (listing: Listing, blockers: string, parameters: Parameters): string =>
  `select v.id from ${source(listing, blockers, parameters, false)} and cardinality(${blockers}::int[]) >= 0
    order by ${orderBy(listing.query.sort)} ${page(listing.query, parameters)}`

/** A row of a page; `id` is null in the one row that a page without videos has where a total is read with it. */
export type ListRow = TotalRow & (ListedVideo | { readonly id: null })

/** The total of the page, and where blocks are counted what is to be remembered of them: the same in each row. */
interface TotalRow {
  readonly total?: number
  readonly version?: string | null
  readonly hidden?: number
}

/** One page of a list that searches for nothing (`searchStatement` has the others): rows of `ListRow`, in its order. */
export const videoListStatement = (listing: Listing, total: TotalSource): VideoListStatement => {
  const { query, scope, viewer } = listing
  const parameters = new Parameters()
  const blockers = parameters.add(listing.blockerIds)
  const all = includes(query.include ?? 0, VideoInclude.blockedOwner)
  const kept = total._tag === "kept" ? keptSource(total.kept, total.counted, all, blockers, parameters) : ""
  const totals = {
    none: () => "",
    kept: () => "(select kept - hidden as total, version, hidden from hidden) t",
    counted: () => `(select count(*) as total from ${source(listing, blockers, parameters, false)}) t`
  }[total._tag]()
  const { columns, join } = listedVideo(query, viewer, scope, blockers, parameters)
  // Loops look up one video after the other, and so keep the order of the page.
  const page = `select shown.*${columns} from (${idsOfPage(listing, blockers, parameters)}) p ${join}`
  const text =
    totals === "" ? page : `${kept} select t.*, i.* from ${totals} left join lateral (${page} offset 0) i on true`
  return { text, values: parameters.values }
}

/** The ids of the videos of a page, in its order, for callers that show more or less of them than lists do. */
export const videoIdsStatement = (listing: Listing): VideoListStatement => {
  const parameters = new Parameters()
  return { text: idsOfPage(listing, parameters.add(listing.blockerIds), parameters), values: parameters.values }
}
