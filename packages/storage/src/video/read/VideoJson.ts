import { commentsPolicyLabels } from "@kinora/domain/enums/CommentsPolicy"
import { embedPrivacyPolicyLabels } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { labelled } from "@kinora/domain/enums/Labelled"
import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { videoLicenceLabels } from "@kinora/domain/enums/VideoLicence"
import { videoPrivacyLabels } from "@kinora/domain/enums/VideoPrivacy"
import { videoStateLabels } from "@kinora/domain/enums/VideoState"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { Thumbnail } from "@kinora/domain/wire/Thumbnail"
import type { Video, VideoDetails } from "@kinora/domain/wire/Video"
import { type ActorRow, actorSummary } from "../../people/actor/ActorJson.ts"
import {
  type StreamingPlaylistRow,
  streamingPlaylists,
  trackersOf,
  type VideoFileRow,
  webVideos
} from "./VideoFileJson.ts"

/** What is counted of a video. It changes often: it stands beside the kept text and joins it when it is read. */
export interface VideoCounts {
  readonly views: number
  readonly viewers: number
  readonly likes: number
  readonly dislikes: number
  readonly comments: number
  readonly downloads: number
}

/** A picture of a video as its row has it: type 1 is the miniature, 2 the preview. */
export interface ThumbnailRow {
  readonly type: number
  readonly filename: string
  readonly remoteUrl: string | null
  readonly width: number
  readonly height: number
}

/** What only who manages a video reads in lists, and everybody in the details. */
export interface ManagementRow {
  readonly state: number
  readonly waitTranscoding: boolean
  /** Null: nothing is scheduled. */
  readonly scheduledAt: string | null
  readonly scheduledPrivacy: number | null
  readonly blacklisted: boolean
  readonly blacklistedReason: string | null
}

/** A video as `videoRows` reads it. Times are ISO 8601. */
export interface VideoRow {
  readonly id: number
  readonly origin: string
  readonly uuid: string
  readonly url: string
  readonly name: string
  readonly category: number | null
  readonly licence: number | null
  readonly language: string | null
  readonly privacy: number
  readonly nsfw: boolean
  readonly nsfwFlags: number
  readonly nsfwSummary: string | null
  readonly description: string | null
  readonly remote: boolean
  readonly duration: number
  readonly aspectRatio: number | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly publishedAt: string
  readonly originallyPublishedAt: string | null
  readonly isLive: boolean
  /** Instants at which a live is announced to begin. */
  readonly liveSchedules: ReadonlyArray<string>
  /** By width. */
  readonly thumbnails: ReadonlyArray<ThumbnailRow>
  readonly accountActorId: number
  readonly channelActorId: number
}

/** What the details have besides, as `videoDetailsRows` reads it. */
export interface VideoDetailsRow extends VideoRow, ManagementRow {
  readonly support: string | null
  readonly tags: ReadonlyArray<string>
  readonly commentsPolicy: number
  readonly downloadEnabled: boolean
  readonly inputFileUpdatedAt: string | null
  readonly embedPrivacyPolicy: number
  readonly remoteTrackers: ReadonlyArray<string>
  readonly files: ReadonlyArray<VideoFileRow>
  readonly playlists: ReadonlyArray<StreamingPlaylistRow>
}

type Counted = keyof VideoCounts

const longestDescription = 250

/** A description as lists show it: at most 250 characters (code points). */
const truncated = (description: string): string => {
  if (description.length <= longestDescription) return description
  const characters = [...description.slice(0, 2 * longestDescription + 2)]
  return characters.length > longestDescription
    ? `${characters.slice(0, longestDescription - 3).join("")}...`
    : description
}

const folders: Readonly<Record<number, string>> = { 1: "/lazy-static/thumbnails/", 2: "/lazy-static/previews/" }

/** The nearest of the ratios the contract names. */
const namedRatio = (width: number, height: number): string => {
  const narrower = (ratio: number) => width < ratio * Math.max(height, 1)
  if (narrower(1.125)) return "1:1"
  if (narrower(1.2916666)) return "5:4"
  if (narrower(1.4666666)) return "4:3"
  return narrower(1.6888888) ? "16:10" : "16:9"
}

/** One size of a picture (contract: Thumbnail). */
export const thumbnail = (origin: string, row: ThumbnailRow): typeof Thumbnail.Encoded => ({
  fileUrl: row.remoteUrl ?? `${origin}${folders[row.type]}${row.filename}`,
  width: row.width,
  height: row.height,
  aspectRatio: namedRatio(row.width, row.height)
})

/** Path of the widest picture of a type, empty where there is none. */
export const widestPath = (thumbnails: ReadonlyArray<ThumbnailRow>, type: 1 | 2): string => {
  let found: ThumbnailRow | undefined
  for (const one of thumbnails) if (one.type === type && (found === undefined || one.width > found.width)) found = one
  return found === undefined ? "" : `${folders[type]}${found.filename}`
}

const shared = (row: VideoRow) => ({
  id: row.id,
  uuid: row.uuid,
  shortUUID: toShortUuid(row.uuid),
  url: row.url,
  name: row.name,
  category: labelled(row.category, videoCategoryLabels),
  licence: labelled(row.licence, videoLicenceLabels),
  language: labelled(row.language, videoLanguageLabels),
  privacy: labelled(row.privacy, videoPrivacyLabels),
  nsfw: row.nsfw,
  nsfwFlags: row.nsfwFlags,
  nsfwSummary: row.nsfwSummary ?? "",
  truncatedDescription: row.description === null ? null : truncated(row.description),
  isLocal: !row.remote,
  duration: row.duration,
  aspectRatio: row.aspectRatio,
  thumbnailPath: widestPath(row.thumbnails, 1),
  previewPath: widestPath(row.thumbnails, 2),
  thumbnails: row.thumbnails.map((one) => thumbnail(row.origin, one)),
  embedPath: `/videos/embed/${row.uuid}`,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  publishedAt: row.publishedAt,
  originallyPublishedAt: row.originallyPublishedAt,
  isLive: row.isLive,
  ...(row.liveSchedules.length === 0 ? {} : { liveSchedules: row.liveSchedules.map((startAt) => ({ startAt })) })
})

/** A video in a list, without counts (contract: Video). */
export const videoSummary = (
  row: VideoRow,
  account: ActorRow,
  channel: ActorRow
): Omit<typeof Video.Encoded, Counted> => {
  const common = shared(row)
  return {
    ...common,
    description: common.truncatedDescription,
    account: actorSummary(account),
    channel: actorSummary(channel)
  }
}

/** Members that lists have for who manages the video. */
export const management = (row: ManagementRow) => ({
  state: labelled(row.state, videoStateLabels),
  waitTranscoding: row.waitTranscoding,
  ...(row.scheduledAt === null
    ? {}
    : {
        scheduledUpdate: {
          updateAt: row.scheduledAt,
          ...(row.scheduledPrivacy === null ? {} : { privacy: row.scheduledPrivacy })
        }
      }),
  blacklisted: row.blacklisted,
  blacklistedReason: row.blacklistedReason
})

/** One video in full, without counts, account and channel (contract: VideoDetails). */
export const videoDetails = (
  row: VideoDetailsRow
): Omit<typeof VideoDetails.Encoded, Counted | "account" | "channel"> => ({
  ...shared(row),
  description: row.description,
  ...management(row),
  support: row.support,
  tags: row.tags,
  commentsPolicy: labelled(row.commentsPolicy, commentsPolicyLabels),
  downloadEnabled: row.downloadEnabled,
  inputFileUpdatedAt: row.inputFileUpdatedAt,
  trackerUrls: trackersOf(row),
  embedPrivacyPolicy: labelled(row.embedPrivacyPolicy, embedPrivacyPolicyLabels),
  files: webVideos(row, row.files),
  streamingPlaylists: streamingPlaylists(row, row.playlists, row.files)
})

/** JSON text of an object without its last brace: more members can follow. */
export const opened = (value: object): string => JSON.stringify(value).slice(0, -1)

/** The counts as members that follow others. */
export const countMembers = ({ comments, dislikes, downloads, likes, viewers, views }: VideoCounts): string =>
  `,"views":${views},"viewers":${viewers},"likes":${likes},"dislikes":${dislikes},"comments":${comments},"downloads":${downloads}`
