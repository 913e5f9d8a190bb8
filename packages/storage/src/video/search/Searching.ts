import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { videoFilter } from "../read/VideoFilters.ts"
import { notBlocked } from "../read/VideoListStatement.ts"
import type { SearchTerms } from "./SearchTerms.ts"
import type { Parameters, VideoScope, VideoViewer } from "../read/VideoQuery.ts"

/** Who searches, where, and whose blocks count. */
export interface Searching {
  readonly query: VideoListQuery
  readonly viewer: VideoViewer | undefined
  readonly scope: VideoScope | undefined
  readonly blockerIds: ReadonlyArray<number>
}

/**
 * How many of the best by name, tags, interest and youth are weighed word by word. What comes after them stays in the
 * order in which they were chosen, so that a word everybody uses costs no more than reading narrow rows.
 */
const weighed = 300

/** As many, where words have to stand in a row: finding these takes reading many that have the words. */
const weighedRows = 60

/** Whether words have to stand in a row, for which documents are read. */
export const hasPhrase = ({ coarse }: SearchTerms): boolean => coarse !== undefined

/** How many of the best are weighed. */
export const weighedOf = (terms: SearchTerms): number => (hasPhrase(terms) ? weighedRows : weighed)

/** How many of the best a page is chosen from. */
export const candidatesOf = ({ count, start }: VideoListQuery, terms: SearchTerms): number =>
  Math.max(weighedOf(terms), start + count)

/** What filters and blocks leave of `video_document v`, as SQL. `blockers` is the parameter with whose blocks count. */
export const searchConditions = (
  { query, viewer, scope }: Searching,
  blockers: string,
  parameters: Parameters
): string => {
  const filter = videoFilter(query, viewer, scope, parameters)
  const unblocked = scope?._tag === "Mine" || includes(query.include ?? 0, VideoInclude.blockedOwner)
  const all = [...filter.conditions, ...(unblocked ? [] : notBlocked(blockers))]
  return all.length === 0 ? "true" : all.join(" and ")
}
