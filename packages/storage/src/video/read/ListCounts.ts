import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { ListFacts } from "./ListFacts.ts"
import { asksForMore } from "./VideoFilters.ts"
import type { VideoScope, VideoViewer } from "./VideoQuery.ts"

/** How many videos there are of each kind lists filter by; numbers below nothing are of what blocks take away. */
export interface ListCounts {
  /** Names of the languages: kinds name theirs by its place among these. */
  readonly languages: ReadonlyArray<string>
  /** One after the other the kinds: `width` numbers each. */
  readonly kinds: Int32Array
  /** Videos that blocks take away: those had to be looked at one by one. */
  readonly hidden: number
  /** What `video_total` was when this was read: another value means a change. */
  readonly version: string
}

/** The row in which counts are read. */
export interface CountsRow {
  readonly languages: ReadonlyArray<string> | null
  readonly kinds: Uint8Array | null
  readonly hidden: number
  readonly version: string
}

const width = 6
const bits = { visibleToAll: 1, nsfw: 2, remote: 4, live: 8, hls: 16, webVideos: 32 }

/** SQL for the state of the totals. */
const versionOfTotals = "(select coalesce(sum(id), 0) || '/' || count(*) from video_total)"

const counting = (kinds: string): string => `
  with kinds as materialized (${kinds}),
    languages as materialized (
      select language, row_number() over (order by language)::int - 1 as place from (select distinct language from kinds) l
    )
  select (select array_agg(language order by place) from languages) as languages,
    string_agg(int4send(k.count) || int4send(k.nsfw_flags) || int4send(l.place) || int4send(k.category)
      || int4send(k.licence) || int4send((k.visible = 2)::int * ${bits.visibleToAll} + k.nsfw::int * ${bits.nsfw}
      + k.remote::int * ${bits.remote} + k.is_live::int * ${bits.live} + k.has_hls::int * ${bits.hls}
      + k.has_web_videos::int * ${bits.webVideos}), ''::bytea) as kinds,
    coalesce(sum(abs(k.count)) filter (where k.count < 0), 0) as hidden, ${versionOfTotals} as version
  from kinds k join languages l using (language)`

const columns = "language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos"

/** Reads all there is, as `CountsRow`. */
export const allCountsStatement: string = counting(`
    select ${columns}, sum(count)::int as count from (
      select ${columns}, count from video_count union all select ${columns}, change from video_count_change
    ) c group by ${columns} having sum(count) <> 0`)

/**
 * Reads as `CountsRow`, below nothing, what blocks take away; its values are the accounts whose blocks these are, and others
 * whose blocks are taken away already.
 */
export const hiddenCountsStatement: string = counting(`
    select ${columns}, -count as count from hidden_counts($1::int[], $2::int[])`)

/**
 * Which blocks count, as `blocks`: accounts with the version of what they block; and the state of the totals, as
 * `version`. Its value are the accounts whose blocks may count.
 */
export const versionsStatement = `select ${versionOfTotals} as version, array(
    select account_id || ':' || version from block_version where account_id = any($1::int[])
  ) as blocks`

/** The counts in a row. */
export const toListCounts = ({ hidden, kinds, languages, version }: CountsRow): ListCounts => {
  const read = new Int32Array((kinds?.byteLength ?? 0) / Int32Array.BYTES_PER_ELEMENT)
  if (kinds !== null) {
    const view = new DataView(kinds.buffer, kinds.byteOffset, kinds.byteLength)
    for (let n = 0; n < read.length; n++) read[n] = view.getInt32(n * Int32Array.BYTES_PER_ELEMENT)
  }
  return { languages: languages ?? [], kinds: read, hidden, version }
}

/** Filters by something that groups do not have. */
const asksForOther = (query: VideoListQuery, facts: ListFacts): boolean =>
  (query.host !== undefined && facts.server !== "ours") ||
  [query.search, query.tagsOneOf, query.tagsAllOf, query.autoTagOneOf].some((given) => given !== undefined) ||
  Object.values(query.narrowing ?? {}).some((given) => given !== undefined) ||
  query.excludeAlreadyWatched === true ||
  asksForMore(query)

/** Answers whether a kind has what is asked for: its five numbers after the count. */
type Wanted = (flags: number, language: number, category: number, licence: number, traits: number) => boolean

/**
 * Counts what a list has, from the counts of groups, if groups have all columns of the filter; undefined if not. Conditions are those that
 * `videoFilter` puts.
 */
export const kindCounter = (
  query: VideoListQuery,
  viewer: VideoViewer | undefined,
  scope: VideoScope | undefined,
  facts: ListFacts
): ((parts: ReadonlyArray<ListCounts>) => number) | undefined => {
  if (scope !== undefined || asksForOther(query, facts)) return undefined
  // Kinds know the languages of videos, and not those of their captions.
  if (query.languageOneOf !== undefined && query.narrowing?.captions === true) return undefined
  let set = viewer === undefined ? bits.visibleToAll : 0
  let unset = 0
  const trait = (bit: number, wanted: boolean | undefined) => {
    if (wanted === true) set |= bit
    if (wanted === false) unset |= bit
  }
  trait(bits.nsfw, query.nsfw === "true" ? true : undefined)
  trait(bits.remote, query.isLocal === undefined ? undefined : !query.isLocal)
  if (facts.server === "ours") unset |= bits.remote
  trait(bits.live, query.isLive)
  trait(bits.hls, query.hasHLSFiles)
  trait(bits.webVideos, query.hasWebVideoFiles)
  const excluded = query.nsfwFlagsExcluded ?? 0
  const allowed = query.nsfwFlagsIncluded ?? 0
  const listed = query.nsfwFlagsListed ?? 0
  const isSafe = query.nsfw === "false"
  const categories = query.categoryOneOf && new Set(query.categoryOneOf)
  const licences = query.licenceOneOf && new Set(query.licenceOneOf)

  const count = ({ kinds, languages }: ListCounts): number => {
    const named = query.languageOneOf
    const places = named && new Set(languages.flatMap((name, place) => (named.includes(name) ? [place] : [])))
    const isWanted: Wanted = (flags, language, category, licence, traits) =>
      (traits & set) === set &&
      (traits & unset) === 0 &&
      (flags & excluded) === 0 &&
      (!isSafe ||
        (traits & bits.nsfw) === 0 ||
        (flags & allowed) !== 0 ||
        (listed !== 0 && flags !== 0 && (flags & ~listed) === 0)) &&
      (places === undefined || places.has(language)) &&
      (categories === undefined || categories.has(category)) &&
      (licences === undefined || licences.has(licence))
    let total = 0
    for (let at = 0; at < kinds.length; at += width) {
      if (isWanted(kinds[at + 1]!, kinds[at + 2]!, kinds[at + 3]!, kinds[at + 4]!, kinds[at + 5]!)) total += kinds[at]!
    }
    return total
  }
  // Parts may be of different moments.
  return (parts) =>
    Math.max(
      0,
      parts.reduce((total, part) => total + count(part), 0)
    )
}
