import { labelled } from "@kinora/domain/enums/Labelled"
import { type VideoPrivacy, videoPrivacyLabels } from "@kinora/domain/enums/VideoPrivacy"
import { type VideoState, videoStateLabels } from "@kinora/domain/enums/VideoState"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { Account } from "@kinora/domain/wire/Account"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"

const hour = 3_600_000
const unknown = { id: null, label: "Unknown" }

const actor = (name: string, displayName: string, path: string, origin: string) => ({
  id: 1,
  name,
  displayName,
  url: `${origin}/${path}/${name}`,
  host: new URL(origin).host,
  avatars: [],
  hostRedundancyAllowed: null,
  followingCount: 0,
  followersCount: 3,
  createdAt: "2026-11-01T10:00:00.000Z",
  updatedAt: "2026-11-01T10:00:00.000Z",
  description: null
})

export const makeAccount = (origin: string, name = "root", displayName = "Administrator"): Account =>
  actor(name, displayName, "accounts", origin)

export const makeChannel = (
  origin: string,
  name = "root_channel",
  displayName = "Peach Open Movies"
): VideoChannel => ({
  ...actor(name, displayName, "video-channels", origin),
  support: null,
  publicEmail: null,
  isLocal: true,
  banners: []
})

/** What a test says of a video; the rest is filled in. */
export interface VideoSketch extends Partial<Omit<VideoDetails, "privacy" | "state">> {
  readonly privacy?: VideoPrivacy
  readonly state?: VideoState
}

export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** A published, public video number `id` of this instance, in wire shape. */
export const makeVideo = (origin: string, id: number, sketch: VideoSketch = {}): VideoDetails => {
  const { privacy = 1, state = 1, ...fields } = sketch
  const uuid = uuidOf(id)
  const time = new Date(Date.UTC(2026, 10, 21, 12) - id * 5 * hour).toISOString()
  return {
    id,
    uuid,
    shortUUID: toShortUuid(uuid),
    url: `${origin}/videos/watch/${uuid}`,
    name: `Video ${id}`,
    category: unknown,
    licence: unknown,
    language: unknown,
    privacy: labelled(privacy, videoPrivacyLabels) as { id: number; label: string },
    state: labelled(state, videoStateLabels) as { id: number; label: string },
    nsfw: false,
    nsfwFlags: 0,
    nsfwSummary: "",
    description: null,
    truncatedDescription: null,
    isLocal: true,
    duration: 10,
    aspectRatio: 1.7778,
    views: 0,
    viewers: 0,
    likes: 0,
    dislikes: 0,
    comments: 0,
    downloads: 0,
    thumbnailPath: "",
    previewPath: "",
    thumbnails: [],
    embedPath: `/videos/embed/${uuid}`,
    createdAt: time,
    updatedAt: time,
    publishedAt: time,
    originallyPublishedAt: null,
    isLive: false,
    account: makeAccount(origin),
    channel: makeChannel(origin),
    waitTranscoding: false,
    files: [],
    streamingPlaylists: [],
    tags: [],
    support: null,
    commentsPolicy: { id: 1, label: "Enabled" },
    downloadEnabled: true,
    inputFileUpdatedAt: null,
    trackerUrls: [],
    embedPrivacyPolicy: { id: 1, label: "All allowed" },
    ...fields
  }
}

/** A public playlist of this instance, in wire shape; its number is the end of its UUID. */
export const makePlaylist = (origin: string, uuid: string, videosLength: number): VideoPlaylist => ({
  id: Number(uuid.slice(-12)),
  uuid,
  shortUUID: toShortUuid(uuid),
  url: `${origin}/video-playlists/${uuid}`,
  createdAt: "2026-11-01T10:00:00.000Z",
  updatedAt: "2026-11-01T10:00:00.000Z",
  displayName: "An evening of open movies",
  description: null,
  isLocal: true,
  videoLength: videosLength,
  videosLength,
  thumbnailPath: null,
  thumbnails: [],
  embedPath: `/video-playlists/embed/${uuid}`,
  privacy: { id: 1, label: "Public" },
  type: { id: 1, label: "Regular" },
  ownerAccount: makeAccount(origin),
  videoChannel: null,
  videoChannelPosition: null
})
