import { LadderRetries } from "@kinora/storage/runner/LadderRetries"
import { SourceReplacement } from "@kinora/storage/video/write/SourceReplacement"
import { TranscodingRequests } from "@kinora/storage/video/write/TranscodingRequests"
import { VideoProcessingRows } from "@kinora/storage/video/write/VideoProcessingRows"
import { Layer } from "effect"
import { ProcessingStatus } from "./ProcessingStatus.ts"
import { ReplaceableSources } from "./ReplaceableSources.ts"
import { SourceFileRemoval } from "./SourceFileRemoval.ts"
import { TranscodingRestart } from "./TranscodingRestart.ts"

/** Source files, how the work on them stands, and transcoding from them again. Needs `SqlClient`, `JobBoard`, `KinoraConfig` and `VideoPermissions`. */
export const SourceServices = Layer.mergeAll(
  ProcessingStatus.layer,
  ReplaceableSources.layer,
  SourceFileRemoval.layer,
  TranscodingRestart.layer
).pipe(
  Layer.provide([SourceReplacement.layer, TranscodingRequests.layer, VideoProcessingRows.layer, LadderRetries.layer])
)
