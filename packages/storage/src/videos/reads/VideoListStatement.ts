import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { asksForMore, type KeptTotal, videoFilter } from "./VideoFilters.ts"
import { Parameters, type VideoScope, type VideoViewer } from "./VideoQuery.ts"
import { orderBy } from "./VideoSorts.ts"

/** One statement that answers a whole page as JSON text in the column `body`. */
export interface VideoListStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

const blockedAccounts = (blockers: string) =>
  `select target_account_id from account_block where account_id = any(${blockers}::int[])`
const blockedServers = (blockers: string) =>
  `select server_id from server_block where account_id = any(${blockers}::int[])`

const notBlocked = (blockers: string): ReadonlyArray<string> => [
  `v.account_id not in (${blockedAccounts(blockers)})`,
  `(v.server_id is null or v.server_id not in (${blockedServers(blockers)}))`
]

const where = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "true" : conditions.join(" and ")

const count = (conditions: ReadonlyArray<string>): string => `(select count(*) from video v where ${where(conditions)})`

/** The kept total less what blocks hide: both are a handful of index entries, however many videos there are. */
const keptTotal = (total: KeptTotal, blockers: string): string => {
  const kept = [
    `visible >= ${total.least}`,
    ...(total.nsfw === undefined ? [] : [`nsfw = ${total.nsfw}`]),
    ...(total.remote === undefined ? [] : [`remote = ${total.remote}`])
  ]
  return `((select coalesce(sum(change), 0) from video_total where ${where(kept)})
    - hidden_total(${blockers}::int[], ${total.least}::smallint, ${total.nsfw ?? "null"}, ${total.remote ?? "null"}))`
}

/** Members that depend on who asks or on `include`: SQL text that begins with a comma, joined to the ready item. */
const extras = (
  query: VideoListQuery,
  viewer: VideoViewer | undefined,
  blockers: string,
  managed: boolean,
  parameters: Parameters
) => {
  const include = query.include ?? 0
  const parts: Array<string> = []
  if (viewer !== undefined) {
    parts.push(
      `coalesce((select ',"userHistory":{"currentTime":' || h.current_time_seconds || '}' from user_video_history h
        where h.user_id = ${parameters.add(viewer.userId)} and h.video_id = p.id), '')`
    )
  }
  if (managed) parts.push("wire_video_management(p.id)")
  if (includes(include, VideoInclude.blockedOwner)) {
    parts.push(
      `(select ',"blockedOwner":' || (v.account_id in (${blockedAccounts(blockers)})) || ',"blockedServer":'
        || coalesce(v.server_id in (${blockedServers(blockers)}), false) from video v where v.id = p.id)`
    )
  }
  if (includes(include, VideoInclude.files)) {
    parts.push(`',"files":' || wire_files(p.id, null) || ',"streamingPlaylists":' || wire_playlists(p.id)`)
  }
  if (includes(include, VideoInclude.source)) {
    parts.push(`coalesce(',"videoSource":' || wire_video_source(p.id), '')`)
  }
  if (includes(include, VideoInclude.tags)) parts.push(`',"tags":' || wire_tags(p.id)`)
  return parts
}

/**
 * The bounds of a first page stand in the text: with a parameter as its limit the planner assumes a tenth of the table,
 * and so plans anew at each call instead of keeping a plan. They are integers that were decoded as such.
 */
const page = (query: VideoListQuery, parameters: Parameters): string =>
  query.start === 0
    ? `limit ${Math.trunc(query.count)}`
    : `limit ${parameters.add(query.count)} offset ${parameters.add(query.start)}`

/** `blockerIds` are the accounts whose blocks count: the viewer's and the instance's. */
export const videoListStatement = (
  query: VideoListQuery,
  viewer: VideoViewer | undefined,
  scope: VideoScope | undefined,
  blockerIds: ReadonlyArray<number>
): VideoListStatement => {
  const parameters = new Parameters()
  const blockers = parameters.add(blockerIds)
  const { conditions, total } = videoFilter(query, viewer, scope, parameters)
  const own = scope?._tag === "Mine"
  const unblocked = own || includes(query.include ?? 0, VideoInclude.blockedOwner) ? [] : notBlocked(blockers)
  const ready = "coalesce((select summary from video_wire w where w.video_id = p.id), wire_video_summary(p.id))"
  const more = extras(query, viewer, blockers, own || asksForMore(query), parameters)
  const item = more.length === 0 ? ready : `left(${ready}, -1) || ${more.join(" || ")} || '}'`
  const all =
    total === undefined || unblocked.length === 0 ? count([...conditions, ...unblocked]) : keptTotal(total, blockers)
  const head = query.skipCount ? `'{"data":['` : `'{"total":' || ${all} || ',"data":['`
  // The aggregate reads its only input as it comes: in the order of the page.
  const text = `select ${head} || coalesce(string_agg(${item}, ','), '') || ']}' as body from (
    select v.id from video v where ${where([...conditions, ...unblocked])}
    order by ${orderBy(query.sort)} ${page(query, parameters)}
  ) p`
  return { text, values: parameters.values }
}
