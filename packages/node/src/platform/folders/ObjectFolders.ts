import { join } from "node:path"
import * as Disk from "@kinora/storage/platform/objects/DiskObjectStore"
import type { Bucket } from "@kinora/storage/platform/objects/ObjectKey"
import * as S3 from "@kinora/storage/platform/objects/s3/S3ObjectStore"
import { Effect, Layer } from "effect"
import { fileType } from "../http/FileTypes.ts"
import { KinoraConfig } from "../config/Config.ts"
import type { Configuration } from "../config/Configuration.ts"
import { s3Kinds, s3Settings } from "../config/ObjectStorage.ts"

/** One folder a bucket after `storage.*`; private ones lie below their public twins. */
const directoriesOf = ({ storage }: Configuration): Readonly<Record<Bucket, string>> => ({
  web_videos: storage.web_videos,
  web_videos_private: join(storage.web_videos, "private"),
  streaming_playlists: join(storage.streaming_playlists, "hls"),
  streaming_playlists_private: join(storage.streaming_playlists, "hls", "private"),
  redundancy: join(storage.redundancy, "hls"),
  original_video_files: storage.original_video_files,
  thumbnails: storage.thumbnails,
  avatars: storage.avatars,
  storyboards: storage.storyboards,
  torrents: storage.torrents,
  captions: storage.captions,
  uploads: join(storage.thumbnails, "uploads"),
  well_known: storage.well_known,
  user_exports: join(storage.tmp_persistent, "user-exports"),
  user_imports: join(storage.tmp_persistent, "user-imports")
})

/** Files on disk alone. */
export const diskFolders = Layer.unwrap(
  Effect.map(KinoraConfig, (config) => Disk.layer({ directories: directoriesOf(config) }))
)

/** What the object storage of the configuration needs; undefined where there is none. */
export const s3OptionsOf = (config: Configuration): S3.S3ObjectStoreOptions | undefined => {
  const settings = s3Settings(config.object_storage)
  return settings === undefined
    ? undefined
    : {
        directories: directoriesOf(config),
        settings,
        kinds: s3Kinds(config.object_storage),
        storesNew: config.object_storage.enabled,
        temporary: join(config.storage.tmp, "objects"),
        contentType: fileType
      }
}

/** Files on disk, and in object storage where one is configured. */
export const objectFolders = Layer.unwrap(
  Effect.map(KinoraConfig, (config) => {
    const options = s3OptionsOf(config)
    return options === undefined ? Disk.layer({ directories: directoriesOf(config) }) : S3.layer(options)
  })
)
