import { storyboardType } from "@kinora/storage/video/work/VideoWork"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { ScheduledUpdates } from "@kinora/storage/video/write/ScheduledUpdates"
import { VideoPrivacy } from "@kinora/storage/video/write/VideoPrivacy"
import { Duration, Effect, Layer, PubSub } from "effect"
import { runAs } from "../platform/cluster/RunAs.ts"
import { periodicOnce } from "../platform/cluster/PeriodicOnce.ts"
import { runOnce } from "../platform/cluster/Placement.ts"
import { PartGather } from "../runner/parts/PartGather.ts"
import { PartJobs } from "../runner/parts/PartJobs.ts"
import { EarlyRenditions } from "../runner/EarlyRenditions.ts"
import { LadderResults } from "../runner/LadderResults.ts"
import { RemoteLadder } from "../runner/RemoteLadder.ts"
import { RemoteStoryboard } from "../runner/RemoteStoryboard.ts"
import { liveEnding, liveTasks } from "../live/services/LiveServices.ts"
import { RuntimeConfig } from "../platform/config/RuntimeConfig.ts"
import { superviseWorkers } from "../platform/jobs/Workers.ts"
import { Attempts } from "../video/process/Attempts.ts"
import { EncodeSlots } from "../video/process/EncodeSlots.ts"
import { FinishedFiles } from "../video/process/FinishedFiles.ts"
import { Housekeeping } from "../video/process/Housekeeping.ts"
import { every } from "../platform/supervision/Every.ts"
import { publishType, transcodingType } from "../video/process/ProcessingJobs.ts"
import { PlayableSource } from "../video/process/PlayableSource.ts"
import { ProcessingSettings } from "../video/process/ProcessingSettings.ts"
import { PublishVideo } from "../video/process/PublishVideo.ts"
import { SourceOf } from "../video/process/SourceOf.ts"
import { StoryboardVideo } from "../video/process/StoryboardVideo.ts"
import { StoreFiles } from "../video/process/StoreFiles.ts"
import { TranscodeVideo } from "../video/process/TranscodeVideo.ts"
import { VideoPictures } from "../video/process/VideoPictures.ts"
import { VideoTorrents } from "../video/process/VideoTorrents.ts"
import { WorkerPool } from "../video/process/WorkerPool.ts"
import { filesAtOnceLayer } from "../video/upload/FilesAtOnce.ts"
import { WorkFolders } from "../video/process/WorkFolders.ts"

/** Quick jobs never wait behind an encode: they have workers of their own. */
const quickWorkers = 2

const runs = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, i) => i + 1)

/** What was given out before runners were switched off would wait for them for ever. */
const recallLadders = Effect.gen(function* () {
  const count = yield* (yield* RunnerLadders).recall
  if (count > 0) yield* Effect.logInfo(`${count} videos that were waiting for runners are encoded by this node`)
})

/** Starts the supervised tasks of the pipeline. */
const processingTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* ProcessingSettings
    const pool = yield* WorkerPool
    const publish = yield* PublishVideo
    const remote = { storyboards: yield* RemoteStoryboard, transcode: yield* RemoteLadder }
    const local = { storyboards: yield* StoryboardVideo, transcode: yield* TranscodeVideo }
    const { changes } = yield* RuntimeConfig
    const housekeeping = yield* Housekeeping
    yield* Effect.ignore(housekeeping.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "job notices", pool.listen)
    for (const n of runs(quickWorkers)) {
      yield* runAs("worker", `publishing ${n}`, pool.worker([publishType], publish.run))
    }
    yield* superviseWorkers(
      "transcoding",
      () => settings.concurrency,
      pool.worker([transcodingType], (job) => (settings.remoteRunners ? remote : local).transcode.run(job))
    )
    yield* runAs(
      "worker",
      "storyboards",
      pool.worker([storyboardType], (job) => (settings.remoteStoryboards ? remote : local).storyboards.run(job))
    )
    yield* runAs(
      "worker",
      "ladders without runners",
      Effect.scoped(
        Effect.gen(function* () {
          const changed = yield* changes
          for (;;) {
            if (!settings.remoteRunners)
              yield* Effect.ignore(recallLadders, {
                log: "Warn",
                message: "Ladders could not be taken back from runners"
              })
            yield* PubSub.take(changed)
          }
        })
      )
    )
    yield* runOnce("object removal", every(Duration.seconds(5), housekeeping.removeObjects))
    yield* periodicOnce("scheduled updates", Duration.seconds(10), housekeeping.applySchedule)
    yield* runAs("worker", "job leases", housekeeping.watchJobs)
    yield* runOnce("old parts of objects", every(Duration.hours(6), housekeeping.removeOldParts))
    yield* runOnce("old jobs", every(Duration.hours(1), housekeeping.removeOldJobs))
  })
)

const storage = Layer.mergeAll(ProcessingVideos.layer, ScheduledUpdates.layer, VideoPrivacy.layer)

/** The steps of the pipeline, without anything that runs by itself. */
export const processingServices = Layer.mergeAll(
  PublishVideo.layer,
  Layer.merge(RemoteLadder.layer, RemoteStoryboard.layer).pipe(
    Layer.provide(EarlyRenditions.layer),
    Layer.provide(Layer.mergeAll(PartGather.layer, PartJobs.layer, LadderResults.layer)),
    Layer.provideMerge(Layer.merge(TranscodeVideo.layer, StoryboardVideo.layer))
  ),
  WorkerPool.layer,
  Housekeeping.layer
).pipe(
  Layer.provide(Layer.mergeAll(Attempts.layer, VideoPictures.layer, PlayableSource.layer)),
  Layer.provideMerge(FinishedFiles.layer),
  Layer.provide(
    Layer.mergeAll(EncodeSlots.layer, StoreFiles.layer, SourceOf.layer, VideoTorrents.layer, WorkFolders.layer)
  ),
  Layer.provide(storage)
)

/** What publishes an upload in the transaction that makes it a video. */
export const publishesAtOnce = filesAtOnceLayer.pipe(
  Layer.provide(Layer.mergeAll(VideoPictures.layer, PlayableSource.layer, FinishedFiles.layer)),
  Layer.provide(Layer.mergeAll(StoreFiles.layer, VideoTorrents.layer, WorkFolders.layer))
)

/**
 * The pipeline: workers and housekeeping under the supervisor. Needs settings, `SourceFiles`, `VideoPublication`, the job
 * board, the object store, media, what runners are given and hand in (`RunnerLadders`,
 * `RunnerRows`, `RunnerResults`, `PartFiles`) and the supervisor.
 */
export const processingLayer = processingTasks.pipe(Layer.provide(processingServices))

/** Lives: doors for their publishers, and the replays. Needs what the pipeline needs, and `LiveServices`. */
export const liveLayer = liveTasks.pipe(
  Layer.provide(Layer.merge(liveEnding, WorkerPool.layer)),
  Layer.provide(Layer.merge(VideoPictures.layer, FinishedFiles.layer)),
  Layer.provide(Layer.mergeAll(StoreFiles.layer, VideoTorrents.layer, WorkFolders.layer)),
  Layer.provide(storage)
)
