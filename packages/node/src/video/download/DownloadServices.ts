import { DownloadCountRows } from "@kinora/storage/video/download/DownloadCountRows"
import { DownloadRows } from "@kinora/storage/video/download/DownloadRows"
import { Layer } from "effect"
import { DownloadCounts } from "./DownloadCounts.ts"
import { DownloadGate } from "./DownloadGate.ts"
import { DownloadPace } from "./DownloadPace.ts"
import { FetchedFiles } from "./FetchedFiles.ts"
import { FetchedVideos } from "./FetchedVideos.ts"
import { MuxSlots } from "./MuxSlots.ts"
import { MuxedVideos } from "./MuxedVideos.ts"
import { SavedFiles } from "./SavedFiles.ts"

/**
 * What downloads of videos need: `Mux`, `ByteServing`, `ObjectStore`, `GuardedFetch`, `RemoteCopies`, the video and session services, `RateLimitStore`,
 * `Supervisor` and `KinoraConfig`.
 */
export const DownloadServices = Layer.mergeAll(
  SavedFiles.layer,
  MuxedVideos.layer,
  FetchedVideos.layer,
  DownloadGate.layer
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      DownloadPace.layer,
      DownloadCounts.layer.pipe(Layer.provide(DownloadCountRows.layer)),
      MuxSlots.layer,
      FetchedFiles.layer
    )
  ),
  Layer.provideMerge(DownloadRows.layer)
)
