import { publicAudience } from "@kinora/federation/activities/Audience"
import type {
  PlaylistDocument,
  PlaylistElementDocument,
  PlaylistPageDocument
} from "@kinora/federation/documents/PlaylistDocument"
import type { PlaylistPageRow } from "@kinora/storage/federation/activitypub/PlaylistObjects"
import type { PlaylistElementRow, PlaylistRow } from "@kinora/storage/federation/activitypub/rows/PlaylistRow"
import { imageDocument } from "./Pictures.ts"

const pageUrl = (url: string, page: number): string => `${url}?page=${page}`

const audienceOf = ({ isPublic, ownerUrl }: PlaylistRow) =>
  isPublic ? publicAudience([], [`${ownerUrl}/followers`]) : { to: [], cc: [] }

/** What the playlist and each of its pages say, apart from where to read on. */
const described = (playlist: PlaylistRow, origin: string) => ({
  name: playlist.name,
  content: playlist.description,
  mediaType: "text/markdown" as const,
  uuid: playlist.uuid,
  published: playlist.createdAt.toISOString(),
  updated: playlist.updatedAt.toISOString(),
  attributedTo: [playlist.channelUrl ?? playlist.ownerUrl],
  ...(playlist.channelUrl === null || playlist.channelPosition === null
    ? {}
    : { audience: playlist.channelUrl, videoChannelPosition: playlist.channelPosition }),
  ...(playlist.picture === null ? {} : { icon: imageDocument(playlist.picture, "thumbnails", origin) })
})

/** The object of a playlist of this instance. */
export const playlistDocument = (playlist: PlaylistRow, origin: string): PlaylistDocument => ({
  ...audienceOf(playlist),
  id: playlist.url,
  type: "Playlist",
  totalItems: playlist.videosLength,
  ...(playlist.videosLength > 0 ? { first: pageUrl(playlist.url, 1) } : {}),
  ...described(playlist, origin)
})

/** A page, counted from 1, of the elements of a playlist. */
export const playlistPageDocument = (
  playlist: PlaylistPageRow,
  { origin, page, size }: { readonly origin: string; readonly page: number; readonly size: number }
): PlaylistPageDocument => ({
  ...audienceOf(playlist),
  id: pageUrl(playlist.url, page),
  type: "Playlist",
  totalItems: playlist.videosLength,
  partOf: playlist.url,
  ...(page > 1 ? { prev: pageUrl(playlist.url, page - 1) } : {}),
  ...(page * size < playlist.videosLength ? { next: pageUrl(playlist.url, page + 1) } : {}),
  ...described(playlist, origin),
  orderedItems: playlist.elementUrls
})

/** The object of an element of a playlist. */
export const playlistElementDocument = (element: PlaylistElementRow): PlaylistElementDocument => ({
  id: element.url,
  type: "PlaylistElement",
  url: element.videoUrl,
  position: element.position,
  ...(element.startTimestamp === null ? {} : { startTimestamp: element.startTimestamp }),
  ...(element.stopTimestamp === null ? {} : { stopTimestamp: element.stopTimestamp })
})
