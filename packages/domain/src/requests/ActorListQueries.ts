import { pageReaders, type Sort } from "./Pagination.ts"
import { query } from "./Query.ts"
import { boolean, idOf, oneOf } from "../fields/Readers.ts"
import { userFields } from "./UserFields.ts"

const newestFirst = { by: "createdAt", descending: true } as const

/** A page of a list sorted by one of `Column`. */
export interface ListPage<Column extends string> {
  readonly start: number
  readonly count: number
  readonly sort: Sort<Column>
  readonly search?: string | undefined
}

interface GivenPage<Column extends string> {
  readonly start?: number
  readonly count?: number
  readonly sort?: Sort<Column>
  readonly search?: string
}

/** Fills in the defaults: the first 15, newest first. An empty search is none. */
export const toListPage = <Column extends string>(given: GivenPage<Column>): ListPage<Column | "createdAt"> => ({
  start: given.start ?? 0,
  count: given.count ?? 15,
  sort: given.sort ?? newestFirst,
  search: given.search === "" ? undefined : given.search
})

/** Columns lists of channels can be sorted by (contract: SortableColumns.videoChannels). */
const channelSortColumns = ["id", "name", "updatedAt", "createdAt"] as const
export type ChannelSortColumn = (typeof channelSortColumns)[number]

/** Columns of synchronisations (contract: SortableColumns.videoChannelSyncs). */
const syncSortColumns = ["externalChannelUrl", "videoChannel", "createdAt", "lastSyncAt", "state"] as const
export type SyncSortColumn = (typeof syncSortColumns)[number]

const byCreation = pageReaders(["createdAt"])

/** Query of `GET /accounts` and of who an account follows. */
export const accountListQuery = query(byCreation)

/** Query of the followers of an account or a channel. */
export const followerListQuery = query({ ...byCreation, search: userFields.search })

export const ratingListQuery = query({
  ...byCreation,
  rating: oneOf(["like", "dislike"], "Must be like or dislike")
})

/** Query of `GET /video-channels`. */
export const channelListQuery = query(pageReaders(channelSortColumns))

/** Query of the channels of an account. Days of figures: 0 means as far back as they go. */
export const accountChannelListQuery = query({
  ...pageReaders(channelSortColumns),
  search: userFields.search,
  withStats: boolean(),
  statsDays: idOf([30, 90, 365, 0], "Must be 30, 90, 365 or 0"),
  includeCollaborations: boolean()
})

export const syncListQuery = query({ ...pageReaders(syncSortColumns), includeCollaborations: boolean() })
