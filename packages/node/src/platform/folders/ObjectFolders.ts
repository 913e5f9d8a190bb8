import { join } from "node:path"
import * as Disk from "@kinora/storage/platform/objects/DiskObjectStore"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../config/Config.ts"

/** Files on disk, one folder a bucket after `storage.*`; private ones lie below their public twins. */
export const objectFolders = Layer.unwrap(
  Effect.map(KinoraConfig, ({ storage }) =>
    Disk.layer({
      directories: {
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
      }
    })
  )
)
