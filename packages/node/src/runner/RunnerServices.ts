import { LiveRunnerJobs } from "@kinora/storage/runner/LiveRunnerJobs"
import { NodeRunnerJobs } from "@kinora/storage/runner/NodeRunnerJobs"
import { RegistrationTokenRows } from "@kinora/storage/runner/RegistrationTokenRows"
import { RunnerCalls } from "@kinora/storage/runner/RunnerCalls"
import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { RunnerJobReads } from "@kinora/storage/runner/RunnerJobReads"
import { RunnerJobRemoval } from "@kinora/storage/runner/RunnerJobRemoval"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { RunnerLists } from "@kinora/storage/runner/RunnerLists"
import { RunnerResultObjects } from "@kinora/storage/runner/RunnerResultObjects"
import { RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Layer } from "effect"
import { UploadSettings } from "../video/staging/UploadSettings.ts"
import { PartFiles } from "./parts/PartFiles.ts"
import { RunnerAccess } from "./registration/RunnerAccess.ts"
import { RunnerExemption } from "./registration/RunnerExemption.ts"
import { RunnerJobFiles } from "./job/RunnerJobFiles.ts"
import { RunnerJobs } from "./job/RunnerJobs.ts"
import { RunnerRegistration } from "./registration/RunnerRegistration.ts"
import { RunnerResults } from "./job/RunnerResults.ts"
import { RunnerSuccess } from "./job/RunnerSuccess.ts"
import { OpenRuns } from "./live/OpenRuns.ts"
import { RunnerUpdates } from "./live/RunnerUpdates.ts"

/** Runner jobs in the database. Needs `SqlClient`. */
export const runnerJobRows = Layer.merge(RunnerLadders.layer, RunnerRows.layer).pipe(
  Layer.provideMerge(RunnerJobBoard.layer)
)

const rows = Layer.mergeAll(
  LiveRunnerJobs.layer,
  NodeRunnerJobs.layer,
  RegistrationTokenRows.layer,
  RunnerCalls.layer,
  RunnerJobReads.layer,
  RunnerJobRemoval.layer,
  RunnerLists.layer,
  runnerJobRows
)

const files = Layer.mergeAll(
  RunnerAccess.layer,
  Layer.merge(PartFiles.layer, RunnerResults.layer.pipe(Layer.provide(RunnerResultObjects.layer))).pipe(
    Layer.provide(UploadSettings.layer)
  ),
  RunnerJobFiles.layer.pipe(Layer.provide(ProcessingVideos.layer))
)

/** Runners and their jobs. Needs `SqlClient`, `KinoraConfig` and `SecretBox`. */
export const RunnerServices = Layer.mergeAll(
  RunnerJobs.layer,
  RunnerRegistration.layer,
  RunnerExemption.layer,
  RunnerSuccess.layer,
  RunnerUpdates.layer.pipe(Layer.provide(RunnerJobs.layer))
).pipe(Layer.provideMerge(OpenRuns.layer), Layer.provideMerge(files), Layer.provideMerge(rows))
