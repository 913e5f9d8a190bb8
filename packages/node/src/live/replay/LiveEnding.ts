import { joinedRun, JoinRecording, type RecordedVersion } from "@kinora/media/live/JoinRecording"
import { Probe } from "@kinora/media/probe/Probe"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Join } from "@kinora/media/transcode/Join"
import { LiveMarks } from "@kinora/storage/live/LiveMarks"
import { type EndedSession, LiveReplays } from "@kinora/storage/live/LiveReplays"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Layer, Option, Schema, type Scope } from "effect"
import { readdir, rm } from "node:fs/promises"
import { basename } from "node:path"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { FinishedFiles } from "../../video/process/FinishedFiles.ts"
import { type JobFailure, ProcessingFailed, toolFailed } from "../../video/process/Outcome.ts"
import { storyboardJob } from "../../video/process/ProcessingJobs.ts"
import { ProcessingSettings } from "../../video/process/ProcessingSettings.ts"
import { shapeOf } from "../../video/process/SourceShape.ts"
import { VideoPictures } from "../../video/process/VideoPictures.ts"
import { WorkFolders } from "../../video/process/WorkFolders.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { markedChapters, type RecordedRun } from "./MarkedChapters.ts"
import { recordedVersions, runOf } from "./RecordedVersions.ts"

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ sessionId: Schema.Int }))

/** The name of the replay of one session among others. */
const replayName = ({ name, startedAt }: EndedSession): string =>
  `${name.slice(0, 120 - 19)} - ${startedAt.toISOString().slice(0, 16).replace("T", " ")}`

const make = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const processing = yield* ProcessingSettings
  const replays = yield* LiveReplays
  const marks = yield* LiveMarks
  const videos = yield* ProcessingVideos
  const folders = yield* WorkFolders
  const recordings = yield* JoinRecording
  const join = yield* Join
  const probe = yield* Probe
  const pictures = yield* VideoPictures
  const finished = yield* FinishedFiles

  /** The runs of a version that was joined to a file of this length. */
  const runsOf = (session: EndedSession, { resolution, runs }: RecordedVersion, folder: string, whole: number) =>
    Effect.forEach(runs, (segments, index) =>
      Effect.map(
        runs.length === 1
          ? Effect.succeed(whole)
          : Effect.map(probe.probe(joinedRun(folder, resolution, index)), ({ duration }) => duration),
        (seconds): RecordedRun => ({ number: runOf(basename(segments[0]!), session.token), seconds })
      )
    )

  const listed = (folder: string) => Effect.promise(() => readdir(folder).catch(() => []))

  const replay = Effect.fnUntraced(function* (
    job: ClaimedJob,
    session: EndedSession,
    versions: ReadonlyArray<RecordedVersion>
  ): Effect.fn.Return<void, JobFailure, Scope.Scope> {
    const became = yield* replays.become(session, replayName(session), settings.origin)
    const video = Option.isNone(became) ? Option.none() : yield* videos.find(became.value)
    if (Option.isNone(video)) return yield* replays.settle(session.id, job.lease)
    const folder = yield* folders.make(job)
    const token = uuidOf(job.uuid, `attempt-${job.attempt}`)
    const failed = Effect.mapError(toolFailed(job.attempt))
    const parts = yield* Effect.forEach(versions, (version) =>
      Effect.gen(function* () {
        const file = yield* recordings.join(version, folder)
        return { resolution: version.resolution, file, info: yield* probe.probe(file) }
      })
    ).pipe(failed)
    const withPicture = parts.filter(({ resolution }) => resolution > 0)
    const [top] = withPicture.length > 0 ? withPicture : parts
    if (top === undefined) return yield* replays.settle(session.id, job.lease)
    const encoded = yield* join
      .join({
        parts: withPicture.length > 0 ? withPicture : parts,
        audioOnly: parts.length > withPicture.length,
        directory: folder,
        names: fileNames(token),
        hls: processing.hls || withPicture.length === 0,
        webVideo: processing.webVideos,
        splitAudio: processing.splitAudio,
        duration: top.info.duration
      })
      .pipe(failed)
    const marked = yield* marks.ofSession(session.id)
    const version = versions.find(({ resolution }) => resolution === top.resolution)
    const chapters =
      marked.length === 0 || version === undefined
        ? []
        : markedChapters(marked, yield* failed(runsOf(session, version, folder, top.info.duration)))
    const thumbnails = yield* pictures.make({
      job,
      video: video.value,
      source: top.file,
      info: top.info,
      folder,
      token
    })
    yield* finished.commit(
      { step: "publish", lease: job.lease, attempt: job.attempt, video: video.value },
      {
        encoded,
        thumbnails,
        shape: shapeOf(top.info),
        publish: true,
        dropSource: false,
        next: processing.storyboards ? [storyboardJob({ videoId: video.value.id, source: null })] : [],
        end: (lease) => replays.settle(session.id, lease, { videoId: video.value.id, chapters })
      }
    )
  }, Effect.scoped)

  const run = Effect.fn("LiveEnding.run")(function* (job: ClaimedJob) {
    const { sessionId } = yield* Effect.mapError(
      decodePayload(job.payload),
      (error) => new ProcessingFailed({ message: error.message, final: true })
    )
    const found = yield* replays.find(sessionId)
    if (Option.isNone(found)) return yield* replays.settle(sessionId, job.lease)
    const session = found.value
    const folder = `${settings.recordings}/${session.token}`
    const versions = recordedVersions(yield* listed(folder), folder, session.token)
    // Nobody published anything: there is nothing to keep.
    if (versions.length === 0) yield* replays.settle(sessionId, job.lease)
    else yield* replay(job, session, versions)
    yield* Effect.promise(() => rm(folder, { recursive: true, force: true }))
    yield* Effect.logInfo(`The replay of session ${sessionId} is made`)
  })

  return LiveEnding.of({ run })
})

/** What follows the end of a session whose replay is saved: the recording becomes a video, by stream copy. */
export class LiveEnding extends Context.Service<
  LiveEnding,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/live/replay/LiveEnding") {
  static readonly layer = Layer.effect(LiveEnding, make)
}
