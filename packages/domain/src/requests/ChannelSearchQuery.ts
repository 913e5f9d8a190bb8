import { type ActorHandle, parseActorHandle } from "../ids/ActorHandle.ts"
import type { ListPage } from "./ActorListQueries.ts"
import type { Reader } from "../fields/Field.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { listOf } from "../fields/Readers.ts"
import { hostReader } from "./VideoListQuery.ts"
import { searchTarget, searchText, uuids } from "./VideoSearchQuery.ts"

/** Columns of searches for channels and playlists (contract: SortableColumns.channelsSearch, playlistsSearch). */
const searchSortColumns = ["match", "displayName", "createdAt"] as const
export type SearchSortColumn = (typeof searchSortColumns)[number]

const handle: Reader<ActorHandle> = {
  message: "Must be a name, or name@host",
  documented: { type: "string" },
  parse: (input) => (typeof input === "string" ? parseActorHandle(input) : undefined)
}

const shared = { ...pageReaders(searchSortColumns), search: searchText, searchTarget, host: hostReader }

/** Query of `GET /search/video-channels`. Without `search`, the filters alone say what to find. */
export const channelSearchQuery = query({
  ...shared,
  handles: listOf(handle, "Must be one or more handles", { type: "array", items: { type: "string" } })
})

const playlistReaders = { ...shared, uuids }

/** Query of `GET /search/video-playlists`. Without `search`, the filters alone say what to find. */
export const playlistSearchQuery = query(playlistReaders)

/** A page of channels: all that is given has to hold. */
export interface ChannelSearch extends Omit<ListPage<SearchSortColumn>, "search"> {
  readonly text?: string | undefined
  /** One of these. */
  readonly handles?: ReadonlyArray<ActorHandle> | undefined
  /** This one. */
  readonly only?: ActorHandle | undefined
  /** Addresses, as their instances give them. */
  readonly urls?: ReadonlyArray<string> | undefined
  readonly host?: string | undefined
  /** Also what this instance does not follow. */
  readonly unfollowed?: boolean | undefined
}

/** A page of playlists: all that is given has to hold. */
export interface PlaylistSearch extends Omit<ListPage<SearchSortColumn>, "search"> {
  readonly text?: string | undefined
  /** One of these, in full. */
  readonly uuids?: ReadonlyArray<string> | undefined
  /** Whether it is asked for by its own address or UUID: what is not listed is found by who knows these. */
  readonly addressed?: boolean | undefined
  /** Addresses, as their instances give them. */
  readonly urls?: ReadonlyArray<string> | undefined
  readonly host?: string | undefined
  /** Also those of owners that this instance does not follow. */
  readonly unfollowed?: boolean | undefined
}
