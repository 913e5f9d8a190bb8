import { SourceReplacement } from "@kinora/storage/video/write/SourceReplacement"
import { TranscodingRequests } from "@kinora/storage/video/write/TranscodingRequests"
import { Layer } from "effect"
import { ReplaceableSources } from "./ReplaceableSources.ts"
import { SourceFileRemoval } from "./SourceFileRemoval.ts"
import { TranscodingRestart } from "./TranscodingRestart.ts"

/** Source files, and transcoding from them again. Needs `SqlClient`, `JobBoard`, `KinoraConfig` and `VideoPermissions`. */
export const SourceServices = Layer.mergeAll(
  ReplaceableSources.layer,
  SourceFileRemoval.layer,
  TranscodingRestart.layer
).pipe(Layer.provide([SourceReplacement.layer, TranscodingRequests.layer]))
