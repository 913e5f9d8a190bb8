import { constraints } from "../enums/Constraints.ts"
import { maxId } from "../ids/Ids.ts"
import { videoReader } from "../ids/VideoIdOrUuid.ts"
import { defaultPage, pageReaders, type Sort } from "./Pagination.ts"
import { query, type QueryOf } from "./Query.ts"
import { boolean, integer, listOf, text } from "../fields/Readers.ts"
import { userFields } from "./UserFields.ts"
import { toVideoListQuery, videoListReaders, type VideoListQuery } from "./VideoListQuery.ts"

const { max } = constraints.actor.handle

const channelNames = listOf(
  text({ min: 1, max, message: "Must be the name of a channel" }),
  "Must be one or more names of channels",
  { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }
)

const videoReaders = {
  ...videoListReaders,
  channelNameOneOf: channelNames,
  includeCollaborations: boolean()
}

/** Query of `GET /users/me/videos`. */
export const myVideosQuery = query(videoReaders)

/** The same with defaults filled in. */
export interface MyVideosQuery {
  readonly videos: VideoListQuery
  readonly channelNames: ReadonlyArray<string> | undefined
  readonly collaborations: boolean
}

export const toMyVideosQuery = (given: QueryOf<typeof videoReaders>): MyVideosQuery => {
  const { channelNameOneOf, includeCollaborations = false, ...videos } = given
  return { videos: toVideoListQuery(videos), channelNames: channelNameOneOf, collaborations: includeCollaborations }
}

const importReaders = {
  ...pageReaders(["createdAt"]),
  includeCollaborations: boolean(),
  videoId: videoReader,
  targetUrl: text({ min: 0, max: 2000, message: "Must be an address of at most 2000 characters" }),
  videoChannelSyncId: integer({ min: 1, max: maxId, message: "Must be the id of a synchronisation" }),
  search: userFields.search
}

/** Query of `GET /users/me/videos/imports`. */
export const myImportsQuery = query(importReaders)

/** The same with defaults filled in: newest first. */
export interface MyImportsQuery extends Omit<QueryOf<typeof importReaders>, "start" | "count" | "sort"> {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"createdAt">
}

export const toMyImportsQuery = (given: QueryOf<typeof importReaders>): MyImportsQuery => ({
  ...defaultPage,
  sort: { by: "createdAt", descending: true },
  ...given
})
