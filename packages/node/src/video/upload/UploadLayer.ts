import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { InitialProcessing } from "@kinora/storage/video/upload/InitialProcessing"
import { UploadHolds } from "@kinora/storage/video/upload/UploadHolds"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { SourceReplacement } from "@kinora/storage/video/write/SourceReplacement"
import { VideoCreation } from "@kinora/storage/video/write/VideoCreation"
import { Duration, Effect, Layer } from "effect"
import { periodic } from "../../platform/supervision/Every.ts"
import { Admission } from "./Admission.ts"
import { ArrivedFiles } from "./ArrivedFiles.ts"
import { CreateBody } from "./CreateBody.ts"
import { FinishUpload } from "./FinishUpload.ts"
import { FirstFiles } from "./FirstFiles.ts"
import { FormUpload } from "./FormUpload.ts"
import { ResumableSessions } from "./ResumableSessions.ts"
import { ResumableUploads } from "./ResumableUploads.ts"
import { SourceUploads } from "./SourceUploads.ts"
import { UploadLock } from "./UploadLock.ts"
import { UploadPictures } from "../staging/UploadPictures.ts"
import { UploadSweeper } from "./UploadSweeper.ts"

const storage = Layer.mergeAll(UploadSessions.layer, UploadChannels.layer, VideoCreation.layer, SourceReplacement.layer)

/** What uploads of every purpose are made of. */
export const uploadParts = Layer.mergeAll(
  UploadPictures.layer,
  Admission.layer,
  ArrivedFiles.layer,
  ResumableSessions.layer.pipe(Layer.provide(UploadLock.layer), Layer.provide(UploadHolds.layer))
)

/** Everything the upload routes need, without what runs by itself. */
export const uploadServices = Layer.mergeAll(
  ResumableUploads.layer.pipe(Layer.provideMerge(FinishUpload.layer)),
  FormUpload.layer.pipe(Layer.provide(FinishUpload.layer)),
  SourceUploads.layer,
  CreateBody.layer,
  FirstFiles.layer.pipe(Layer.provide(InitialProcessing.layer)),
  UploadSweeper.layer
).pipe(Layer.provide(uploadParts), Layer.provideMerge(storage))

/** Removes expired and orphaned uploads now and then. */
export const uploadTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sweep, takeBack } = yield* UploadSweeper
    // Else they end minutes later.
    yield* Effect.ignore(takeBack, {
      log: "Warn",
      message: "Room that the last run of this node had reserved could not be freed; the upload sweeper does"
    })
    yield* periodic("upload sweeper", Duration.minutes(1), sweep)
  })
)
