import { LiveCreation } from "@kinora/storage/live/LiveCreation"
import { LiveMarks } from "@kinora/storage/live/LiveMarks"
import { LivePictures } from "@kinora/storage/live/LivePictures"
import { LiveReplays } from "@kinora/storage/live/LiveReplays"
import { LiveRows } from "@kinora/storage/live/LiveRows"
import { LiveSessionLists } from "@kinora/storage/live/LiveSessionLists"
import { liveEndingType, LiveSessions } from "@kinora/storage/live/LiveSessions"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { VideoCreation } from "@kinora/storage/video/write/VideoCreation"
import { Duration, Effect, Layer, Schedule } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"
import { WorkerPool } from "../../video/process/WorkerPool.ts"
import { PlayKeys } from "../ingest/PlayKeys.ts"
import { WhipAnywhere } from "../ingest/WhipAnywhere.ts"
import { WhipDoor } from "../ingest/WhipDoor.ts"
import { whipTask } from "../ingest/WhipTask.ts"
import { rtmpTask } from "../ingest/RtmpTask.ts"
import { srtTask } from "../ingest/SrtTask.ts"
import { eventsElsewhere } from "../elsewhere/EventsElsewhere.ts"
import { LivesAnywhere } from "../elsewhere/LivesAnywhere.ts"
import { lostLives } from "../elsewhere/LostLives.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { LiveEnding } from "../replay/LiveEnding.ts"
import { EndedLives } from "../video/EndedLives.ts"
import { LiveEvents } from "../session/LiveEvents.ts"
import { LiveFiles } from "../session/LiveFiles.ts"
import { LocalRuns } from "../session/LocalRuns.ts"
import { LiveSession } from "../session/LiveSession.ts"
import { LiveThumbnails } from "../session/LiveThumbnails.ts"
import { LiveWatch } from "../session/LiveWatch.ts"
import { MarkedLives } from "../video/MarkedLives.ts"
import { RunningLives } from "../session/RunningLives.ts"
import { LiveKeys } from "../key/LiveKeys.ts"
import { LiveVideos } from "../video/LiveVideos.ts"

const rows = Layer.mergeAll(LiveRows.layer, LiveSessions.layer, UploadChannels.layer, UploadSettings.layer)

const creation = LiveCreation.layer.pipe(Layer.provide(VideoCreation.layer))

/** What those need who make versions of lives. */
export const liveDoors = Layer.mergeAll(LocalRuns.layer, PlayKeys.layer, LiveSettings.layer)

const sessions = RunningLives.layer.pipe(
  Layer.provide(Layer.mergeAll(LiveSession.layer, LiveWatch.layer)),
  Layer.provide(Layer.merge(LiveFiles.layer, LiveThumbnails.layer.pipe(Layer.provide(LivePictures.layer))))
)

/**
 * Lives and their sessions: needs `SqlClient`, `KinoraConfig`, `JobBoard`, `SecretBox`, `MyUserReads`, `RateLimitStore`, media,
 * the object store, what changes videos (`VideoServices`), `liveDoors`, and who makes the versions (`LiveRuns`).
 */
export const LiveServices = Layer.mergeAll(
  LiveVideos.layer,
  EndedLives.layer,
  MarkedLives.layer,
  LiveSessionLists.layer,
  WhipAnywhere.layer.pipe(Layer.provideMerge(WhipDoor.layer))
).pipe(
  Layer.provideMerge(LivesAnywhere.layer),
  Layer.provideMerge(sessions),
  Layer.provide(Layer.mergeAll(rows, creation, LiveKeys.layer, LiveMarks.layer)),
  Layer.provideMerge(LiveEvents.layer)
)

/** What makes replays: needs the above and the pipeline. */
export const liveEnding = LiveEnding.layer.pipe(Layer.provide(Layer.merge(LiveReplays.layer, LiveMarks.layer)))

/** Listens for publishers, and makes replays, under the supervisor. */
export const liveTasks = Layer.mergeAll(eventsElsewhere, lostLives).pipe(
  Layer.merge(
    Layer.effectDiscard(
      Effect.gen(function* () {
        const pool = yield* WorkerPool
        const ending = yield* LiveEnding
        const lives = yield* RunningLives
        // A publisher who comes back before its session is taken up would be sent away.
        const takenUp = yield* Effect.cached(
          lives.takeUp.pipe(
            Effect.tapError((error) => Effect.logWarning("Lives of the last run of this node have to wait", error)),
            Effect.retry(Schedule.spaced(Duration.seconds(1)))
          )
        )
        yield* runAs("ingest", "lives by RTMP", Effect.andThen(takenUp, rtmpTask("rtmp")))
        yield* runAs("ingest", "lives by RTMPS", Effect.andThen(takenUp, rtmpTask("rtmps")))
        yield* runAs("ingest", "lives by SRT", Effect.andThen(takenUp, srtTask))
        yield* runAs("ingest", "lives by WebRTC", Effect.andThen(takenUp, whipTask))
        yield* runAs("worker", "replays", pool.worker([liveEndingType], ending.run))
      })
    )
  )
)
