import type { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { allNsfwFlags } from "../enums/NsfwFlag.ts"
import { allVideoIncludes } from "../enums/VideoInclude.ts"
import { type VideoPrivacy, videoPrivacies } from "../enums/VideoPrivacy.ts"
import { type VideoSortColumn, videoSortColumns } from "../enums/VideoSort.ts"
import { type VideoState, videoStates } from "../enums/VideoState.ts"
import { optional } from "./Field.ts"
import { defaultPage, pageQuery, skipCountReader, type Sort } from "./Pagination.ts"
import { boolean, idOf, integer, listOf, oneOf, text } from "./Readers.ts"

const ids = (name: string) =>
  listOf(
    integer({ min: 0, max: 2_147_483_647, message: "", documented: {} }),
    `Should have a valid ${name} array of numbers`,
    { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] }
  )
const texts = (name: string, max: number) =>
  listOf(text({ min: 1, max, message: "" }), `Should have a valid ${name} array of texts`, {
    anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }]
  })
const flags = (name: string) => integer({ min: 0, max: allNsfwFlags, message: `Should have valid ${name} flags` })

const states = listOf(idOf(videoStates, ""), `Should have valid video states: ${videoStates.join(", ")}`)

/** Query of every list of videos: `/videos`, those of an account and those of a channel (contract: getVideos). */
export const videoListQuery = {
  ...pageQuery(videoSortColumns),
  skipCount: optional(skipCountReader),
  nsfw: optional(oneOf(["true", "false", "both"], "Should have a valid nsfw value: true or false")),
  nsfwFlagsIncluded: optional(flags("nsfwFlagsIncluded")),
  nsfwFlagsExcluded: optional(flags("nsfwFlagsExcluded")),
  isLive: optional(boolean("isLive")),
  includeScheduledLive: optional(boolean("includeScheduledLive")),
  categoryOneOf: optional(ids("categoryOneOf")),
  licenceOneOf: optional(ids("licenceOneOf")),
  languageOneOf: optional(texts("languageOneOf", constraints.video.language.max)),
  tagsOneOf: optional(texts("tagsOneOf", constraints.video.tag.max)),
  tagsAllOf: optional(texts("tagsAllOf", constraints.video.tag.max)),
  isLocal: optional(boolean("isLocal")),
  include: optional(
    integer({
      min: 0,
      max: allVideoIncludes,
      message: `Should have a valid include bit set (0 to ${allVideoIncludes})`
    })
  ),
  hasHLSFiles: optional(boolean("hasHLSFiles")),
  hasWebVideoFiles: optional(boolean("hasWebVideoFiles")),
  host: optional(
    text({ min: 1, max: 260, pattern: /^[A-Za-z0-9.\-:[\]]+$/, message: "Should have a valid host", documented: {} })
  ),
  autoTagOneOf: optional(texts("autoTagOneOf", 100)),
  stateOneOf: optional(states),
  /** Older name of `stateOneOf`. */
  videoStates: optional(states),
  privacyOneOf: optional(listOf(idOf(videoPrivacies, ""), `Should have valid privacies: ${videoPrivacies.join(", ")}`)),
  excludeAlreadyWatched: optional(boolean("excludeAlreadyWatched")),
  search: optional(text({ ...constraints.search, message: "Should have a valid search" }))
}

type Decoded = Schema.Struct.Type<typeof videoListQuery>

/** What a list of videos is asked for, defaults filled in. */
export interface VideoListQuery extends Omit<Decoded, "start" | "count" | "sort" | "videoStates" | "skipCount"> {
  readonly start: number
  readonly count: number
  readonly sort: Sort<VideoSortColumn>
  readonly skipCount: boolean
  readonly stateOneOf?: ReadonlyArray<VideoState>
  readonly privacyOneOf?: ReadonlyArray<VideoPrivacy>
}

/** Fills in the defaults (newest first) and joins the two names of the states filter. */
export const toVideoListQuery = (query: Decoded): VideoListQuery => {
  const { videoStates: olderName, ...rest } = query
  const stateOneOf = query.stateOneOf ?? olderName
  return {
    ...defaultPage,
    sort: { by: "publishedAt", descending: true },
    skipCount: false,
    ...rest,
    ...(stateOneOf === undefined ? {} : { stateOneOf })
  }
}
