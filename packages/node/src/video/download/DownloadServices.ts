import { DownloadCountRows } from "@kinora/storage/video/download/DownloadCountRows"
import { DownloadRows } from "@kinora/storage/video/download/DownloadRows"
import { Layer } from "effect"
import { DownloadCounts } from "./DownloadCounts.ts"
import { DownloadGate } from "./DownloadGate.ts"
import { DownloadPace } from "./DownloadPace.ts"
import { MuxedVideos } from "./MuxedVideos.ts"
import { SavedFiles } from "./SavedFiles.ts"

/**
 * What downloads of videos need: `Mux`, `ByteServing`, `ObjectStore`, the video and session services, `RateLimitStore`,
 * `Supervisor` and `KinoraConfig`.
 */
export const DownloadServices = Layer.mergeAll(SavedFiles.layer, MuxedVideos.layer, DownloadGate.layer).pipe(
  Layer.provideMerge(
    Layer.merge(DownloadPace.layer, DownloadCounts.layer.pipe(Layer.provide(DownloadCountRows.layer)))
  ),
  Layer.provideMerge(DownloadRows.layer)
)
