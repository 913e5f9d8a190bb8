import { DownloadRows } from "@kinora/storage/video/download/DownloadRows"
import { Layer } from "effect"
import { DownloadCounts } from "./DownloadCounts.ts"
import { DownloadGate } from "./DownloadGate.ts"
import { DownloadHttp } from "./DownloadHttp.ts"
import { DownloadPace } from "./DownloadPace.ts"
import { FetchedFiles } from "./FetchedFiles.ts"
import { FetchedVideos } from "./FetchedVideos.ts"
import { MuxSlots } from "./MuxSlots.ts"
import { MuxedVideos } from "./MuxedVideos.ts"
import { SavedFiles } from "./SavedFiles.ts"

/**
 * Downloads of videos: needs `Mux`, `ByteServing`, `ObjectStore`, `GuardedFetch`, `RemoteCopies`, the video and session services, `RateLimitStore`,
 * `Supervisor` and `KinoraConfig`.
 */
export const DownloadRoutes = DownloadHttp.pipe(
  Layer.provide(Layer.mergeAll(SavedFiles.layer, MuxedVideos.layer, FetchedVideos.layer, DownloadGate.layer)),
  Layer.provide(Layer.mergeAll(DownloadPace.layer, DownloadCounts.layer, MuxSlots.layer, FetchedFiles.layer)),
  Layer.provide(DownloadRows.layer)
)
