import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { anywhere, type VideoConditions } from "./VideoConditions.ts"
import { scheduledLives } from "./ScheduledLives.ts"
import { noLanguage, type Parameters, type VideoScope, type VideoViewer } from "./VideoQuery.ts"
import { safeText } from "../../platform/database/LikeText.ts"

/** Which of the kept totals a list has; undefined counts both kinds. */
export interface KeptTotal {
  /** Least value of `visible`. */
  readonly least: 1 | 2
  readonly nsfw: boolean | undefined
  readonly remote: boolean | undefined
}

/** Conditions on `video v`, without those that blocks make. */
export interface VideoFilter {
  readonly conditions: ReadonlyArray<string>
  /** The kept total that counts the same videos, where there is one. */
  readonly total: KeptTotal | undefined
}

/** Whether a query asks for more than what everybody may list: for managers alone, which the caller has checked. */
export const asksForMore = (query: VideoListQuery): boolean =>
  query.stateOneOf !== undefined ||
  query.privacyOneOf !== undefined ||
  includes(query.include ?? 0, VideoInclude.notPublishedState | VideoInclude.blacklisted)

/** Of lives that wait, those that are announced: looked up once and hashed, and only where a live waits. */
const announced = (viewer: VideoViewer | undefined, lookedUp: boolean): string =>
  `(v.state = 4 and v.is_live and v.id in (${scheduledLives(viewer, lookedUp)}))`

const managedVisibility = (
  query: VideoListQuery,
  parameters: Parameters,
  viewer: VideoViewer | undefined
): ReadonlyArray<string> => {
  const include = query.include ?? 0
  const conditions: Array<string> = []
  if (query.stateOneOf !== undefined) conditions.push(`v.state = any(${parameters.add(query.stateOneOf)}::int[])`)
  else if (!includes(include, VideoInclude.notPublishedState)) {
    conditions.push(query.includeScheduledLive === true ? `(v.state = 1 or ${announced(viewer, true)})` : "v.state = 1")
  }
  if (query.privacyOneOf !== undefined) conditions.push(`v.privacy = any(${parameters.add(query.privacyOneOf)}::int[])`)
  else conditions.push("v.privacy in (1, 4)")
  if (!includes(include, VideoInclude.blacklisted)) {
    conditions.push("v.id not in (select b.video_id from video_blacklist b)")
  }
  return conditions
}

const sensitive = (query: VideoListQuery, parameters: Parameters): ReadonlyArray<string> => {
  const conditions: Array<string> = []
  if (query.nsfw === "true") conditions.push("v.nsfw")
  if (query.nsfw === "false") {
    const allowed = query.nsfwFlagsIncluded ?? 0
    const listed = query.nsfwFlagsListed ?? 0
    const shown = [
      "not v.nsfw",
      ...(allowed === 0 ? [] : [`v.nsfw_flags & ${parameters.add(allowed)} <> 0`]),
      ...(listed === 0 ? [] : [`(v.nsfw_flags <> 0 and v.nsfw_flags & ~(${parameters.add(listed)}::int) = 0)`])
    ]
    conditions.push(shown.length === 1 ? shown[0]! : `(${shown.join(" or ")})`)
  }
  if ((query.nsfwFlagsExcluded ?? 0) !== 0) {
    conditions.push(`v.nsfw_flags & ${parameters.add(query.nsfwFlagsExcluded)} = 0`)
  }
  return conditions
}

/** Names of tags in one spelling, none twice. */
const distinct = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(names.map((name) => safeText(name).toLowerCase()))
]

/** What the instance's own rules found. */
const automaticallyTagged = (names: ReadonlyArray<string>, parameters: Parameters): string =>
  `v.id in (
    select t.video_id from video_automatic_tag t join account c on c.id = t.account_id join actor a on a.id = c.actor_id
    where t.name = any(${parameters.add(names.map(safeText))}::text[]::citext[])
      and a.server_id is null and a.type = 'Application')`

/** Looked up once and hashed. */
const captioned = (languages: ReadonlyArray<string>, parameters: Parameters): string =>
  `v.id in (select c.video_id from video_caption c where c.language = any(${parameters.add(languages.map(safeText))}::text[]))`

const followed = " and (not x.remote or video_has_followers(x.id, x.channel_id, x.account_id))"

/** What is not in lists, and who knows its address may see: what the instance does not follow only if it is looked up. */
const unlisted = (lookedUp: boolean): string =>
  `v.id in (select x.id from video x where x.privacy = 2 and x.state = 1
    and x.id not in (select b.video_id from video_blacklist b)${lookedUp ? "" : followed})`

const described = (query: VideoListQuery, parameters: Parameters, looks: VideoConditions): ReadonlyArray<string> => {
  const conditions: Array<string> = []
  if (query.categoryOneOf !== undefined) conditions.push(looks.named("category", query.categoryOneOf, parameters))
  if (query.licenceOneOf !== undefined) conditions.push(looks.named("licence", query.licenceOneOf, parameters))
  if (query.languageOneOf !== undefined) {
    const known = looks.named("language", query.languageOneOf.map(safeText), parameters)
    const alternatives = [
      known,
      ...(query.languageOneOf.includes(noLanguage) ? ["v.language is null"] : []),
      ...(query.narrowing?.captions === true ? [captioned(query.languageOneOf, parameters)] : [])
    ]
    conditions.push(alternatives.length === 1 ? known : `(${alternatives.join(" or ")})`)
  }
  if (query.tagsOneOf !== undefined) conditions.push(looks.tagsOneOf(query.tagsOneOf, parameters))
  if (query.autoTagOneOf !== undefined) conditions.push(automaticallyTagged(query.autoTagOneOf, parameters))
  if (query.tagsAllOf !== undefined) conditions.push(looks.tagsAllOf(distinct(query.tagsAllOf), parameters))
  return conditions
}

const narrowed = ({ narrowing = {} }: VideoListQuery, parameters: Parameters): ReadonlyArray<string> => {
  const conditions: Array<string> = []
  const compare = (column: string, operator: string, value: string | number | undefined, type: string) => {
    if (value !== undefined) conditions.push(`v.${column} ${operator} ${parameters.add(value)}::${type}`)
  }
  compare("published_at", ">=", narrowing.startDate, "timestamptz")
  compare("published_at", "<=", narrowing.endDate, "timestamptz")
  compare("originally_published_at", ">=", narrowing.originallyPublishedStartDate, "timestamptz")
  compare("originally_published_at", "<=", narrowing.originallyPublishedEndDate, "timestamptz")
  compare("duration", ">=", narrowing.durationMin, "int")
  compare("duration", "<=", narrowing.durationMax, "int")
  if (narrowing.uuids !== undefined) {
    conditions.push(`v.id in (select id from video where uuid = any(${parameters.add(narrowing.uuids)}::uuid[]))`)
  }
  if (narrowing.urls !== undefined) {
    conditions.push(
      `v.id in (select id from video where url = any(${parameters.add(narrowing.urls.map(safeText))}::text[]))`
    )
  }
  return conditions
}

const located = (query: VideoListQuery, parameters: Parameters, looks: VideoConditions): ReadonlyArray<string> => {
  const conditions: Array<string> = []
  if (query.isLive !== undefined) conditions.push(query.isLive ? "v.is_live" : "not v.is_live")
  if (query.host !== undefined) conditions.push(looks.host(query.host, parameters))
  if (query.hasHLSFiles !== undefined) conditions.push(query.hasHLSFiles ? looks.hasHls : `not ${looks.hasHls}`)
  if (query.hasWebVideoFiles !== undefined) {
    conditions.push(query.hasWebVideoFiles ? looks.hasWebVideos : `not ${looks.hasWebVideos}`)
  }
  return conditions
}

const mine = (scope: Extract<VideoScope, { readonly _tag: "Mine" }>, parameters: Parameters): string => {
  const account = parameters.add(scope.accountId)
  // Two lookups instead of an "or", which no index serves: who has none would have all videos walked.
  const all = scope.collaborations
    ? `v.id in (select x.id from video x where x.account_id = ${account} union all
        select x.id from video_channel_collaborator k join video x on x.channel_id = k.channel_id
        where k.account_id = ${account} and k.state = 2)`
    : `v.account_id = ${account}`
  if (scope.channelNames === undefined) return all
  const names = parameters.add(scope.channelNames.map(safeText))
  return `${all} and v.channel_id in (
    select c.id from video_channel c join actor a on a.id = c.actor_id
    where a.server_id is null and a.preferred_username = any(${names}::text[]::citext[]))`
}

const scoped = (scope: VideoScope, parameters: Parameters, looks: VideoConditions): string => {
  switch (scope._tag) {
    case "Account":
      return `v.account_id = ${parameters.add(scope.accountId)}`
    case "Channel":
      return `v.channel_id = ${parameters.add(scope.channelId)}`
    case "Mine":
      return mine(scope, parameters)
    case "Subscriptions":
      return looks.subscribed(scope, parameters)
  }
}

/**
 * Whether what the instance does not follow is shown, too: to those who may look things up, asked for by its address, or as
 * what somebody of another instance has; and to who subscribes to it.
 */
const isLookedUp = ({ narrowing = {} }: VideoListQuery, scope: VideoScope | undefined): boolean =>
  scope?._tag === "Subscriptions" ||
  (narrowing.lookedUp === true && (narrowing.urls !== undefined || narrowing.uuids !== undefined)) ||
  ((scope?._tag === "Account" || scope?._tag === "Channel") && scope.unfollowed === true)

/** What limits the videos of who asks: nothing but what the query names. */
const ownVisibility = (query: VideoListQuery, parameters: Parameters): ReadonlyArray<string> => [
  ...(query.stateOneOf === undefined ? [] : [`v.state = any(${parameters.add(query.stateOneOf)}::int[])`]),
  ...(query.privacyOneOf === undefined ? [] : [`v.privacy = any(${parameters.add(query.privacyOneOf)}::int[])`])
]

const anyOf = (alternatives: ReadonlyArray<string>): string =>
  alternatives.length === 1 ? alternatives[0]! : `(${alternatives.join(" or ")})`

/**
 * What a list query asks for, but what it searches for, as conditions on `video v`. They hold for `video_document v` as
 * well: who filters by another column adds it there.
 */
export const videoFilter = (
  query: VideoListQuery,
  viewer: VideoViewer | undefined,
  scope: VideoScope | undefined,
  parameters: Parameters,
  looks: VideoConditions = anywhere
): VideoFilter => {
  const managed = asksForMore(query)
  const lookedUp = isLookedUp(query, scope)
  const visible = lookedUp
    ? viewer === undefined
      ? "visible in (-1, 2)"
      : "visible <> 0"
    : viewer === undefined
      ? "visible = 2"
      : "visible > 0"
  const alternatives = [
    `v.${visible}`,
    ...(query.narrowing?.addressed === true ? [unlisted(lookedUp)] : []),
    ...(query.includeScheduledLive === true ? [announced(viewer, lookedUp)] : [])
  ]
  const conditions =
    scope?._tag === "Mine"
      ? [...ownVisibility(query, parameters)]
      : managed
        ? [...managedVisibility(query, parameters, viewer)]
        : [anyOf(alternatives)]
  const nsfw = sensitive(query, parameters)
  conditions.push(...nsfw)
  if (query.isLocal !== undefined) conditions.push(query.isLocal ? "not v.remote" : "v.remote")
  const plain = conditions.length
  conditions.push(...described(query, parameters, looks), ...located(query, parameters, looks))
  conditions.push(...narrowed(query, parameters))
  if (query.excludeAlreadyWatched === true && viewer !== undefined) {
    conditions.push(looks.unwatched(viewer.userId, parameters))
  }
  if (scope !== undefined) conditions.push(scoped(scope, parameters, looks))

  const flags = [query.nsfwFlagsIncluded, query.nsfwFlagsExcluded, query.nsfwFlagsListed]
  const hasFlags = flags.some((set) => (set ?? 0) !== 0)
  if (managed || hasFlags || conditions.length > plain || query.includeScheduledLive === true)
    return { conditions, total: undefined }
  const total: KeptTotal = {
    least: viewer === undefined ? 2 : 1,
    nsfw: query.nsfw === "true" ? true : query.nsfw === "false" ? false : undefined,
    remote: query.isLocal === undefined ? undefined : !query.isLocal
  }
  return { conditions, total }
}
