import { Layer } from "effect"
import { FileFacts } from "./FileFacts.ts"
import { HlsRoutes } from "./HlsHttp.ts"
import { LazyStaticRoutes } from "./LazyStaticHttp.ts"
import { VideoFileGate } from "./VideoFileGate.ts"
import { WebVideoRoutes } from "./WebVideoHttp.ts"

/**
 * Video files, images, captions and torrents: needs `ServedBucket`, `ObjectStore`, the video and session services and
 * `KinoraConfig`.
 */
export const FileRoutes = Layer.mergeAll(WebVideoRoutes, HlsRoutes, LazyStaticRoutes).pipe(
  Layer.provide(VideoFileGate.layer),
  Layer.provide(FileFacts.layer)
)
