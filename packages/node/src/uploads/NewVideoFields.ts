import type { VideoUpload } from "@kinora/domain/requests/VideoUpload"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { NewSource, NewThumbnail, NewVideo } from "@kinora/storage/videos/writes/NewVideo"
import type { UploadSettingsShape } from "./UploadSettings.ts"

const publicPrivacy = 1

const aspectRatio = (info: MediaInfo): number | null =>
  info.video === undefined ? null : Math.round((info.video.width / info.video.height) * 10_000) / 10_000

/** The video that an upload becomes: what the client said, and the instance's defaults for what it did not say. */
export const newVideo = (options: {
  readonly uuid: string
  readonly accountId: number
  readonly uploaderAccountId: number
  readonly fields: VideoUpload
  readonly info: MediaInfo
  readonly source: NewSource
  readonly thumbnails: ReadonlyArray<NewThumbnail>
  readonly settings: Pick<UploadSettingsShape, "origin" | "defaults">
}): NewVideo => {
  const { fields, info, settings, uuid } = options
  const { defaults } = settings
  return {
    uuid,
    channelId: fields.channelId,
    accountId: options.accountId,
    uploaderAccountId: options.uploaderAccountId,
    url: `${settings.origin}/videos/watch/${uuid}`,
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
    duration: Math.round(info.duration),
    aspectRatio: aspectRatio(info),
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
    source: options.source,
    thumbnails: options.thumbnails
  }
}
