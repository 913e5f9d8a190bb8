import { constraints } from "../enums/Constraints.ts"
import { allNsfwFlags } from "../enums/NsfwFlag.ts"
import { allVideoIncludes } from "../enums/VideoInclude.ts"
import { type VideoPrivacy, videoPrivacies } from "../enums/VideoPrivacy.ts"
import { type VideoSortColumn, videoSortColumns } from "../enums/VideoSort.ts"
import { type VideoState, videoStates } from "../enums/VideoState.ts"
import { maxId } from "../ids/Ids.ts"
import { defaultPage, pageReaders, skipCountReader, type Sort } from "./Pagination.ts"
import { query, type QueryOf } from "./Query.ts"
import { boolean, idOf, integer, listOf, oneOf, text } from "../fields/Readers.ts"
import type { VideoNarrowing } from "./VideoNarrowing.ts"

const ids = listOf(
  integer({ min: 0, max: maxId, message: "Must be a whole number" }),
  "Must be one or more whole numbers",
  { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] }
)
const texts = (max: number) =>
  listOf(
    text({ min: 1, max, message: `Must be a text of at most ${max} characters` }),
    `Must be one or more texts of at most ${max} characters`,
    {
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }]
    }
  )
const flags = integer({ min: 0, max: allNsfwFlags, message: "Must be a sum of the flags 1, 2 and 4" })

const states = listOf(idOf(videoStates, "Must be a state"), `Must be one or more of ${videoStates.join(", ")}`)

/** The name of a host, with its port where it has one. */
export const hostReader = text({
  min: 1,
  max: 260,
  pattern: /^[A-Za-z0-9.\-:[\]]+$/,
  message: "Must be the name of a host, such as videos.example",
  documented: {}
})

/** Parameters every list of videos takes. */
export const videoListReaders = {
  ...pageReaders(videoSortColumns),
  skipCount: skipCountReader,
  nsfw: oneOf(["true", "false", "both"], "Must be true, false or both"),
  nsfwFlagsIncluded: flags,
  nsfwFlagsExcluded: flags,
  isLive: boolean(),
  includeScheduledLive: boolean(),
  categoryOneOf: ids,
  licenceOneOf: ids,
  languageOneOf: texts(constraints.video.language.max),
  tagsOneOf: texts(constraints.video.tag.max),
  tagsAllOf: texts(constraints.video.tag.max),
  isLocal: boolean(),
  include: integer({
    min: 0,
    max: allVideoIncludes,
    message: `Must be a sum of the bits 1, 2, 4 to 128, at most ${allVideoIncludes}`
  }),
  hasHLSFiles: boolean(),
  hasWebVideoFiles: boolean(),
  host: hostReader,
  autoTagOneOf: texts(100),
  stateOneOf: states,
  /** Older name of `stateOneOf`. */
  videoStates: states,
  privacyOneOf: listOf(
    idOf(videoPrivacies, "Must be a privacy"),
    `Must be one or more of ${videoPrivacies.join(", ")}`
  ),
  excludeAlreadyWatched: boolean(),
  search: text({ ...constraints.search, message: `Must be a text of at most ${constraints.search.max} characters` })
}

/** Query of every list of videos: `/videos`, those of an account and those of a channel (contract: getVideos). */
export const videoListQuery = query(videoListReaders)

type Decoded = QueryOf<typeof videoListReaders>

/** What a list of videos is asked for, defaults filled in. */
export interface VideoListQuery extends Omit<Decoded, "start" | "count" | "sort" | "videoStates" | "skipCount"> {
  readonly start: number
  readonly count: number
  readonly sort: Sort<VideoSortColumn>
  readonly skipCount: boolean
  readonly stateOneOf?: ReadonlyArray<VideoState>
  readonly privacyOneOf?: ReadonlyArray<VideoPrivacy>
  /** With `nsfw` false: videos that have flags, and none but these, are listed still. No parameter: the reader's choice. */
  readonly nsfwFlagsListed?: number
  /** What a search narrows the list down by. */
  readonly narrowing?: VideoNarrowing
}

/** Fills in the defaults (newest first) and joins the two names of the states filter. */
export const toVideoListQuery = (given: Decoded): VideoListQuery => {
  const { search, videoStates: olderName, ...rest } = given
  const stateOneOf = given.stateOneOf ?? olderName
  return {
    ...defaultPage,
    sort: { by: "publishedAt", descending: true },
    skipCount: false,
    ...rest,
    ...(search === undefined || search === "" ? {} : { search }),
    ...(stateOneOf === undefined ? {} : { stateOneOf })
  }
}
