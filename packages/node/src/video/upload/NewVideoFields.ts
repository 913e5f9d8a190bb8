import type { VideoUpload } from "@kinora/domain/requests/VideoUpload"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { AnnouncedVideo, NewSource, NewThumbnail, NewVideo } from "@kinora/storage/video/write/NewVideo"
import { shapeOf } from "../process/SourceShape.ts"
import type { UploadSettingsShape } from "../staging/UploadSettings.ts"

const publicPrivacy = 1

interface Announced {
  readonly uuid: string
  readonly accountId: number
  readonly uploaderAccountId: number
  readonly fields: VideoUpload
  readonly thumbnails: ReadonlyArray<NewThumbnail>
  readonly settings: Pick<UploadSettingsShape, "origin" | "defaults" | "reviewsNewVideos">
}

/** A video before its file is known: what the client said, and the instance's defaults for what it did not say. */
export const announcedVideo = ({ accountId, fields, settings, ...options }: Announced): AnnouncedVideo => {
  const { defaults } = settings
  return {
    uuid: options.uuid,
    channelId: fields.channelId,
    accountId,
    uploaderAccountId: options.uploaderAccountId,
    url: `${settings.origin}/videos/watch/${options.uuid}`,
    name: fields.name,
    category: fields.category ?? null,
    licence: fields.licence === undefined ? defaults.licence : fields.licence,
    language: fields.language ?? null,
    privacy: fields.privacy ?? defaults.privacy,
    nsfw: fields.nsfw ?? false,
    nsfwFlags: fields.nsfwFlags ?? 0,
    nsfwSummary: fields.nsfwSummary ?? null,
    description: fields.description ?? null,
    support: fields.support ?? null,
    duration: 0,
    aspectRatio: null,
    waitTranscoding: fields.waitTranscoding ?? false,
    downloadEnabled: fields.downloadEnabled ?? defaults.downloadEnabled,
    commentsPolicy: fields.commentsPolicy ?? defaults.commentsPolicy,
    originallyPublishedAt: fields.originallyPublishedAt ?? null,
    tags: fields.tags ?? [],
    passwords: fields.videoPasswords ?? [],
    schedule:
      fields.scheduleUpdate === undefined || fields.scheduleUpdate === null
        ? null
        : { updateAt: fields.scheduleUpdate.updateAt, privacy: fields.scheduleUpdate.privacy ?? publicPrivacy },
    thumbnails: options.thumbnails,
    reviewed: settings.reviewsNewVideos
  }
}

/** The video that an upload becomes. */
export const newVideo = (options: Announced & { readonly info: MediaInfo; readonly source: NewSource }): NewVideo => ({
  ...announcedVideo(options),
  ...shapeOf(options.info),
  source: options.source
})
