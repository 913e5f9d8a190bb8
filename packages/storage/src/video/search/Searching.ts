import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { videoFilter } from "../read/VideoFilters.ts"
import { notBlocked } from "../read/VideoListStatement.ts"
import type { SearchTerms } from "./SearchTerms.ts"
import type { Parameters, VideoScope, VideoViewer } from "../read/VideoQuery.ts"

/** The viewer, the scope, and whose blocks apply. */
export interface Searching {
  readonly query: VideoListQuery
  readonly viewer: VideoViewer | undefined
  readonly scope: VideoScope | undefined
  readonly blockerIds: ReadonlyArray<number>
}

/**
 * How many of the best matches by name, tags, popularity and age are ranked by their words. Later ones keep that order,
 * so that a search for a very common word reads only narrow rows.
 */
const weighed = 300

/** The same for phrases: finding these means reading many documents that contain the words. */
const weighedRows = 60

/** Whether the search contains a phrase, for which documents have to be read. */
export const hasPhrase = ({ coarse }: SearchTerms): boolean => coarse !== undefined

/** How many of the best matches are ranked. */
export const weighedOf = (terms: SearchTerms): number => (hasPhrase(terms) ? weighedRows : weighed)

/** How many of the best matches a page is chosen from. */
export const candidatesOf = ({ count, start }: VideoListQuery, terms: SearchTerms): number =>
  Math.max(weighedOf(terms), start + count)

/**
 * Conditions for filters and blocks on `video_document v`, as SQL. `blockers` is the parameter with the accounts whose
 * blocks apply.
 */
export const searchConditions = (
  { query, viewer, scope }: Searching,
  blockers: string,
  parameters: Parameters
): string => {
  const filter = videoFilter(query, viewer, scope, parameters)
  const unblocked = scope?._tag === "Mine" || includes(query.include ?? 0, VideoInclude.blockedOwner)
  const all = [...filter.conditions, ...(unblocked ? [] : notBlocked(blockers, "either"))]
  return all.length === 0 ? "true" : all.join(" and ")
}
