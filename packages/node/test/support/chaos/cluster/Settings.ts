import { existsSync } from "node:fs"
import { s3Keys } from "../../../../../storage/test/support/objects/S3Server.ts"

/** Heights of the ladder of each video, and seconds of each clip. */
export const heights = [240, 360] as const

export const bucketName = "kinora"

const kinds = [
  "WEB_VIDEOS",
  "STREAMING_PLAYLISTS",
  "ORIGINAL_VIDEO_FILES",
  "THUMBNAILS",
  "AVATARS",
  "STORYBOARDS",
  "CAPTIONS",
  "TORRENTS",
  "UPLOADS",
  "USER_EXPORTS",
  "USER_IMPORTS"
]

/** What makes a node keep files in object storage: those of unfinished uploads too where nodes share no folder. */
const inObjectStorage = (endpoint: string, apart: boolean): Record<string, string> => {
  const stored = apart ? [...kinds, "STAGED_UPLOADS"] : kinds
  return {
    KINORA_OBJECT_STORAGE_ENABLED: "true",
    KINORA_OBJECT_STORAGE_ENDPOINT: endpoint,
    KINORA_OBJECT_STORAGE_CREDENTIALS_ACCESS_KEY_ID: s3Keys.accessKeyId,
    KINORA_OBJECT_STORAGE_CREDENTIALS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    ...Object.fromEntries(stored.map((kind) => [`KINORA_OBJECT_STORAGE_${kind}_BUCKET_NAME`, bucketName])),
    ...Object.fromEntries(stored.map((kind) => [`KINORA_OBJECT_STORAGE_${kind}_PREFIX`, `${kind.toLowerCase()}/`]))
  }
}

/** What all nodes have in common. */
export const settingsOf = (set: {
  readonly publicPort: number
  readonly redis: string | undefined
  readonly endpoint: string
  readonly apart: boolean
}): Record<string, string> => ({
  KINORA_CLUSTER_ENABLED: "true",
  KINORA_WEBSERVER_PORT: String(set.publicPort),
  KINORA_SECRETS_PEERTUBE: "one-key-for-all-nodes-of-the-instance",
  KINORA_FEDERATION_ONLY_LOOPBACK: "true",
  KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
  KINORA_REMOTE_RUNNERS_STALLED_JOBS_VOD: "22 seconds",
  KINORA_TRANSCODING_ORIGINAL_FILE_KEEP: "true",
  KINORA_LOG_ROTATION_ENABLED: "false",
  // A small file system of their own is filled up: it needs no reserve.
  KINORA_UPLOADS_RESERVE_DISK: "0",
  ...Object.fromEntries(["480P", "720P", "1080P"].map((it) => [`KINORA_TRANSCODING_RESOLUTIONS_${it}`, "false"])),
  ...(set.redis === undefined ? {} : { KINORA_REDIS_URL: set.redis }),
  ...inObjectStorage(set.endpoint, set.apart)
})

const fakeTime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

/** What has a program read its clock's error from a file (Debian's `faketime`); undefined where it is not installed. */
export const clockFrom = (file: string): Record<string, string> | undefined =>
  existsSync(fakeTime)
    ? {
        LD_PRELOAD: fakeTime,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: "1",
        // Timers go on as they do when an administrator sets the clock.
        FAKETIME_DONT_FAKE_MONOTONIC: "1"
      }
    : undefined
