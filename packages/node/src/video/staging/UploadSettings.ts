import type { UploadHolder } from "@kinora/storage/video/upload/UploadSession"
import { Context, Duration, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { bodyTimeLimits, type TimeLimits } from "../../platform/body/TimedBody.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { stagesObjects } from "../../platform/config/ObjectStorage.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"

/** What a new video gets where the upload does not say. */
export interface PublishDefaults {
  readonly privacy: number
  readonly licence: number | null
  readonly commentsPolicy: number
  readonly downloadEnabled: boolean
}

export interface UploadSettingsShape extends TimeLimits {
  /** Which node takes uploads, by its name, and in which run: a run that is over takes nothing any more. */
  readonly holder: UploadHolder
  /** Absolute folder of unfinished uploads; must survive a restart. */
  readonly directory: string
  /** Whether what arrives is put into object storage, so that nodes need not share that folder. */
  readonly stagesObjects: boolean
  /** Public origin of the instance, such as `https://tube.example`. */
  readonly origin: string
  /** Host part of the same, for the `Location` of a resumable upload. */
  readonly host: string
  /** Bytes; -1: no limit. */
  readonly maxFileSize: number
  /** Bytes of the disk that uploads leave free. */
  readonly reserveDisk: number
  /** Unfinished uploads one user may have. */
  readonly sessionsPerUser: number
  /** Silence after which an unfinished upload is removed. */
  readonly expiration: Duration.Duration
  /** How long a file whose upload is not known is left alone: it may be about to be. */
  readonly orphanAge: Duration.Duration
  /** How long the last request of a finished upload gets the same answer again. */
  readonly replay: Duration.Duration
  /** Bytes after which what has arrived is made durable although the request goes on. */
  readonly checkpointBytes: number
  readonly transcoding: boolean
  readonly additionalExtensions: boolean
  readonly audioFiles: boolean
  readonly defaults: PublishDefaults
  /** Whether new videos of users wait for a moderator. */
  readonly reviewsNewVideos: boolean
}

const mebibyte = 1024 ** 2

/**
 * Where sources are put: on the disk, from where a move takes them to object storage once they are processed; or there at once, where
 * another node, which has no folder in common with this one, may process them.
 */
export const sourcesGoTo = ({ stagesObjects }: Pick<UploadSettingsShape, "stagesObjects">): "disk" | undefined =>
  stagesObjects ? undefined : "disk"

/** Limits that are not configured. */
export const uploadLimits = {
  sessionsPerUser: 20,
  orphanAge: Duration.minutes(15),
  replay: Duration.hours(1),
  ...bodyTimeLimits,
  checkpointBytes: 64 * mebibyte,
  stagesObjects: false
} as const

/** How uploads are taken. What administrators change is read anew each time: take nothing out of it beforehand. */
export class UploadSettings extends Context.Service<UploadSettings, UploadSettingsShape>()(
  "@kinora/node/uploads/UploadSettings"
) {
  static readonly layer = Layer.effect(
    UploadSettings,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const { auto_blacklist, transcoding } = config
      const { publish } = config.defaults
      return {
        ...uploadLimits,
        holder: { node: yield* nodeName, run: randomUUID() },
        directory: config.storage.tmp_persistent,
        stagesObjects: stagesObjects(config.object_storage),
        origin: config.derived.origin,
        host: config.derived.host,
        maxFileSize: config.uploads.max_file_size,
        reserveDisk: config.uploads.reserve_disk,
        expiration: config.uploads.expiration,
        get transcoding() {
          return transcoding.enabled
        },
        get additionalExtensions() {
          return transcoding.enabled && transcoding.allow_additional_extensions
        },
        get audioFiles() {
          return transcoding.enabled && transcoding.allow_audio_files
        },
        get reviewsNewVideos() {
          return auto_blacklist.videos.of_users.enabled
        },
        get defaults() {
          return {
            privacy: publish.privacy,
            licence: publish.licence,
            commentsPolicy: publish.comments_policy,
            downloadEnabled: publish.download_enabled
          }
        }
      }
    })
  )
}
