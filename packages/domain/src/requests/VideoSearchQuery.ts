import { constraints } from "../enums/Constraints.ts"
import { videoSortColumns, type VideoSortColumn } from "../enums/VideoSort.ts"
import { parseVideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import type { Reader } from "../fields/Field.ts"
import { sortReader } from "./Pagination.ts"
import { query, type QueryOf } from "./Query.ts"
import { instant, integer, listOf, oneOf, text } from "../fields/Readers.ts"
import { toVideoListQuery, type VideoListQuery, videoListReaders } from "./VideoListQuery.ts"

/** Where a search is done (contract: SearchTarget). */
export const searchTarget = oneOf(["local", "search-index"], "Must be local or search-index")

const { max } = constraints.search

/** What is searched for. */
export const searchText = text({ min: 1, max, message: `Must be a text of 1 to ${max} characters` })

const uuid: Reader<string> = {
  message: "Must be the UUID of a video, in full or in the short form",
  documented: { type: "string" },
  parse: (input) => {
    const read = typeof input === "string" ? parseVideoIdOrUuid(input) : undefined
    return read?._tag === "Uuid" ? read.uuid : undefined
  }
}

/** UUIDs, each in full or in the short form. */
export const uuids = listOf(uuid, "Must be one or more UUIDs", { type: "array", items: { type: "string" } })

const day = 86_400
const seconds = integer({ min: 0, max: 3_650 * day, message: "Must be a whole number of seconds" })
const moment = instant("Must be an instant in ISO 8601")

const sorts = videoSortColumns.filter((column) => column !== "localVideoFilesSize")

const readers = {
  ...videoListReaders,
  sort: sortReader<VideoSortColumn>(sorts),
  search: searchText,
  searchTarget,
  uuids,
  startDate: moment,
  endDate: moment,
  originallyPublishedStartDate: moment,
  originallyPublishedEndDate: moment,
  durationMin: seconds,
  durationMax: seconds
}

/** Query of `GET /search/videos` (contract: searchVideos). Without `search`, the filters alone say what to find. */
export const videoSearchQuery = query(readers)
export type VideoSearchQuery = QueryOf<typeof readers>

/** The list that answers a search: what matches best comes first, unless another order is asked for. */
export const toSearchedList = (given: VideoSearchQuery): VideoListQuery => {
  const {
    searchTarget: _target,
    uuids: ids,
    startDate,
    endDate,
    originallyPublishedStartDate,
    originallyPublishedEndDate,
    durationMin,
    durationMax,
    ...list
  } = given
  return {
    ...toVideoListQuery(list),
    sort: list.sort ?? { by: "match", descending: true },
    narrowing: {
      captions: true,
      uuids: ids,
      startDate,
      endDate,
      originallyPublishedStartDate,
      originallyPublishedEndDate,
      durationMin,
      durationMax
    }
  }
}
