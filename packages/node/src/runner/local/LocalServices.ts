import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Layer } from "effect"
import { EncodeSlots } from "../../video/process/EncodeSlots.ts"
import { SourceOf } from "../../video/process/SourceOf.ts"
import { WorkFolders } from "../../video/process/WorkFolders.ts"
import { LocalRunner } from "./LocalRunner.ts"
import { LocalWork } from "./LocalWork.ts"

/** This node as a runner. Needs settings, the runner services, the object store and media. */
export const localServices = LocalRunner.layer.pipe(
  Layer.provide(LocalWork.layer),
  Layer.provide(Layer.mergeAll(EncodeSlots.layer, SourceOf.layer, WorkFolders.layer)),
  Layer.provide(ProcessingVideos.layer)
)
