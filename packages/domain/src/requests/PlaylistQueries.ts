import { playlistTypes } from "../enums/PlaylistType.ts"
import { constraints } from "../enums/Constraints.ts"
import { type VideoIdOrUuid, videoReader } from "../ids/VideoIdOrUuid.ts"
import type { ListPage } from "./ActorListQueries.ts"
import { field, type Reader } from "../fields/Field.ts"
import { countReader, pageReaders, startReader } from "./Pagination.ts"
import { query } from "./Query.ts"
import { boolean, idOf, listOf, text } from "../fields/Readers.ts"
import { userFields } from "./UserFields.ts"

/** Columns lists of playlists can be sorted by (contract: SortableColumns.playlists). */
const playlistSortColumns = ["name", "displayName", "createdAt", "updatedAt", "videoChannelPosition"] as const
export type PlaylistSortColumn = (typeof playlistSortColumns)[number]

export type PlaylistPage = ListPage<PlaylistSortColumn>

const listed = {
  ...pageReaders(playlistSortColumns),
  playlistType: idOf(playlistTypes, "Must be 1 (regular) or 2 (watch later)")
}

/** Query of `GET /video-playlists` and of the playlists of a channel. */
export const playlistListQuery = query(listed)

const { handle } = constraints.actor

/** Query of the playlists of an account. */
export const accountPlaylistListQuery = query({
  ...listed,
  search: userFields.search,
  includeCollaborations: boolean(),
  channelNameOneOf: listOf(
    text({ ...handle, message: "Must be the name of a channel" }),
    "Must be one or more names of channels"
  )
})

/** Query of the elements of a playlist: they have an order of their own. */
export const playlistElementQuery = query({ start: startReader, count: countReader })

/** A video with the text that names it: answers repeat it. */
export interface NamedVideo {
  readonly name: string
  readonly video: VideoIdOrUuid
}

const namedVideo: Reader<NamedVideo> = {
  ...videoReader,
  parse: (input) => {
    const video = videoReader.parse(input)
    return video === undefined ? undefined : { name: String(input), video }
  }
}

/** Query of the places videos have in playlists. */
export const videosExistQuery = { videoIds: field(listOf(namedVideo, "Must be one or more ids of videos")) }
