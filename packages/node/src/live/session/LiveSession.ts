import { LiveError, LiveLatencyMode } from "@kinora/domain/enums/Live"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PublishEnd } from "@kinora/ingest/Publisher"
import { UnsupportedMedia } from "@kinora/media/errors/MediaErrors"
import { isPart } from "@kinora/media/live/Fragmenting"
import type { ClosedSegment } from "@kinora/media/live/Segmenting"
import { type LiveOutput, livePlan, samePlan } from "@kinora/media/live/LivePlan"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import type { PublishedLive } from "@kinora/storage/live/LiveRows"
import { LiveSessions, type RunningSession } from "@kinora/storage/live/LiveSessions"
import { Clock, Context, Deferred, Duration, Effect, Layer, Option, Queue, Schedule } from "effect"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { shapeOf } from "../../video/process/SourceShape.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"
import type { Beginning } from "./Beginning.ts"
import type { Incoming } from "./Incoming.ts"
import { type LiveEnd, publisherLeft } from "./LiveEnd.ts"
import { beginningFile, feed, readBeginning } from "./LiveFeed.ts"
import { LiveThumbnails } from "./LiveThumbnails.ts"
import { LiveFiles, type LiveFilesOf } from "./LiveFiles.ts"
import { LiveRuns, type RunLost } from "./LiveRuns.ts"
import { packagingOf } from "./Packaging.ts"
import { StreamRelay } from "./StreamRelay.ts"

/** A live and its session, while it is published. */
export interface LiveWork {
  readonly live: PublishedLive
  readonly session: RunningSession
  /** Connections of the publisher, one after another. */
  readonly arrivals: Queue.Dequeue<Incoming>
  /** Completed when the session has to end, whatever the publisher does. */
  readonly forced: Deferred.Deferred<LiveEnd>
  /** Called when it is known what the publisher sends and what becomes of it. */
  readonly onPlan: (info: MediaInfo, outputs: ReadonlyArray<LiveOutput>) => void
  /** Called with the number of each run of the encoder, and when what it gets began, in milliseconds since 1970. */
  readonly onRun: (run: number, beganAt: number) => void
  /** Called when it can be seen for the first time. */
  readonly onShown: Effect.Effect<void>
  /** Called with the bytes of each segment. */
  readonly onBytes: (bytes: number) => void
}

const beginningName = "beginning.flv"

/** Seconds of a segment. They begin at keyframes, so they can be longer. */
const segmentSeconds: Readonly<Record<number, number>> = {
  [LiveLatencyMode.small]: 1,
  [LiveLatencyMode.default]: 2,
  [LiveLatencyMode.high]: 4
}
/** Segments in the playlist at least, however short the window is. */
const fewestSegments = 10

/** A session ends when the database is back. */
const whileAway = { times: 300, schedule: Schedule.spaced(Duration.seconds(1)) }

/** What is known of a session from one connection to the next. */
interface Progress {
  /** Number of the run of the encoder. */
  run: number
  outputs: ReadonlyArray<LiveOutput> | undefined
  files: LiveFilesOf | undefined
  shown: boolean
}

const unreadable: LiveEnd = { error: LiveError.invalidInput, reason: "The stream cannot be read as video or audio" }
const differs: LiveEnd = {
  error: LiveError.invalidInput,
  reason: "The stream has another size or other codecs than before: end the live and begin it anew"
}
const noDatabase: LiveEnd = { error: LiveError.unknown, reason: "The instance is not ready" }

/** A run that lasted so long was well: runs that were lost before it no longer count. Milliseconds. */
const wellAfter = 60_000

/** A connection whose stream is known. */
interface Connected {
  readonly beganAt: number
  readonly folder: string
  readonly info: MediaInfo
  readonly outputs: ReadonlyArray<LiveOutput>
  readonly files: LiveFilesOf
  readonly relay: StreamRelay
  /** Completed when the first run takes the stream. */
  readonly ready: Deferred.Deferred<void>
}

/** Runs of the encoder whose files are in a folder. */
const earlierRuns = async (folder: string, token: string): Promise<number> => {
  const names = await readdir(folder)
  const numbers = names.flatMap((name) =>
    name.startsWith(`${token}-`) ? [Number.parseInt(name.slice(token.length + 1), 10)] : []
  )
  return Math.max(0, ...numbers.filter(Number.isFinite))
}

const make = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const sessions = yield* LiveSessions
  const runs = yield* LiveRuns
  const probe = yield* Probe
  const liveFiles = yield* LiveFiles
  const thumbnails = yield* LiveThumbnails

  const secondsOf = ({ latencyMode }: PublishedLive) => segmentSeconds[latencyMode] ?? 2

  /** What the publisher sends, and what becomes of it. */
  const planOf = Effect.fnUntraced(function* (folder: string, beginning: Beginning) {
    const file = `${folder}/${beginningName}`
    yield* Effect.promise(() => writeFile(file, beginningFile(beginning), { mode: 0o600 }))
    const info = yield* probe.probe(file).pipe(
      Effect.tapError((error) => Effect.logInfo("A live cannot be read", error)),
      Effect.mapError(() => unreadable)
    )
    const outputs = livePlan(info, settings.plan)
    if (outputs instanceof UnsupportedMedia) {
      return yield* Effect.fail<LiveEnd>({ error: LiveError.invalidInput, reason: outputs.detail })
    }
    return { info, outputs }
  })

  /** Serves a segment, and says when there is something to see for the first time. */
  const take = Effect.fnUntraced(function* (
    work: LiveWork,
    progress: Progress,
    info: MediaInfo,
    files: LiveFilesOf,
    segment: ClosedSegment,
    at: number,
    folder: string
  ) {
    const added = yield* files.add(segment, at, segment.number === 0)
    work.onBytes(added.bytes)
    if (!(yield* files.publish) || progress.shown) return
    progress.shown = true
    yield* Effect.mapError(
      Effect.retry(sessions.show(work.session, shapeOf(info).aspectRatio), whileAway),
      () => noDatabase
    )
    yield* work.onShown
    yield* Effect.forkScoped(thumbnails.show(work.live.videoId, `${folder}/${beginningName}`, info, folder))
  })

  /** One run, to its last segment. Gives why it was lost, if it was. */
  const packaged = Effect.fnUntraced(function* (
    work: LiveWork,
    progress: Progress,
    { files, folder, info, outputs, ready, relay }: Connected,
    beganAt: number,
    lost: ReadonlyArray<RunLost>
  ) {
    const { live, session } = work
    progress.run += 1
    work.onRun(progress.run, beganAt)
    const run = yield* runs.start({
      info,
      outputs,
      directory: folder,
      prefix: `${session.token}-${progress.run}`,
      segmentSeconds: secondsOf(live),
      lowLatency: live.latencyMode === LiveLatencyMode.small,
      threads: settings.threads,
      fragments: files.packaging.fragments,
      video: { id: live.videoId, uuid: live.uuid },
      token: session.token,
      relay,
      lost
    })
    yield* Deferred.succeed(ready, undefined)
    const elapsed = new Map<number, number>()
    return yield* Effect.gen(function* () {
      for (;;) {
        const made = yield* run.next
        const before = elapsed.get(made.resolution) ?? 0
        if (isPart(made)) yield* files.addPart(made, beganAt + before)
        else {
          elapsed.set(made.resolution, before + made.seconds * 1000)
          yield* take(work, progress, info, files, made, beganAt + before, folder)
        }
      }
    }).pipe(
      Effect.catchTags({
        Done: () => Effect.undefined,
        RunLost: (error) => Effect.succeed(error),
        InsufficientStorage: () => Effect.fail<LiveEnd>({ error: LiveError.unknown, reason: "The disk is full" })
      })
    )
  }, Effect.scoped)

  /** Run after run, until the stream is over. The publisher notices nothing when one is lost. */
  const packagedWhole = Effect.fnUntraced(function* (work: LiveWork, progress: Progress, connected: Connected) {
    let beganAt = connected.beganAt
    let lost: ReadonlyArray<RunLost> = []
    for (;;) {
      const error = yield* packaged(work, progress, connected, beganAt, lost)
      if (error === undefined || connected.relay.isEnded) return
      const now = yield* Clock.currentTimeMillis
      yield* Effect.logWarning(`Live ${work.live.uuid} goes on with another run: ${error.message}`)
      lost = now - beganAt < wellAfter || error.why === "untaken" ? [...lost, error] : [error]
      beganAt = now
    }
  })

  /** One connection of the publisher, from its first tag to its last segment. Fails when the session has to end. */
  const connection = Effect.fnUntraced(function* (
    work: LiveWork,
    progress: Progress,
    incoming: Incoming,
    folder: string
  ) {
    const beganAt = yield* Clock.currentTimeMillis
    const beginning = yield* readBeginning(incoming)
    if (beginning === undefined) return
    const { info, outputs } = yield* planOf(folder, beginning)
    const known = (progress.outputs ??= outputs)
    if (!samePlan(known, outputs)) return yield* Effect.fail(differs)
    work.onPlan(info, outputs)
    const { live, session } = work
    const files = (progress.files ??= liveFiles.of(
      {
        uuid: live.uuid,
        privacy: live.privacy,
        token: session.token,
        window: Math.max(live.dvrWindow, fewestSegments * secondsOf(live)),
        keep: session.saveReplay,
        packaging: packagingOf(settings, live.latencyMode, outputs),
        segmentSeconds: secondsOf(live)
      },
      outputs
    ))
    const relay = new StreamRelay()
    const ready = yield* Deferred.make<void>()
    const fed = Deferred.await(ready).pipe(
      Effect.andThen(feed(incoming, beginning, (tag) => relay.add(tag))),
      Effect.andThen(relay.end)
    )
    const segments = packagedWhole(work, progress, { beganAt, folder, info, outputs, files, relay, ready })
    yield* Effect.all([fed, segments], { concurrency: 2, discard: true })
  })

  /** Serves one connection after another, until the publisher stays away. */
  const connections = Effect.fnUntraced(function* (work: LiveWork, progress: Progress, folder: string) {
    for (;;) {
      const grace = Duration.millis(settings.reconnectGrace)
      const arrived = yield* Effect.timeoutOption(Queue.take(work.arrivals), grace)
      if (Option.isNone(arrived)) return publisherLeft
      const incoming = arrived.value
      const outcome = yield* connection(work, progress, incoming, folder).pipe(
        Effect.as(undefined),
        Effect.catch((error) => Effect.succeed(error)),
        Effect.raceFirst(Deferred.await(work.forced)),
        Effect.onExit((exit) =>
          incoming.stop(exit._tag === "Success" ? (exit.value?.reason ?? publisherLeft.reason) : publisherLeft.reason)
        )
      )
      if (outcome !== undefined) return outcome satisfies LiveEnd
      const how: PublishEnd = yield* Deferred.await(incoming.how)
      if (how === "closed") return publisherLeft
      yield* Effect.logInfo(`The publisher of live ${work.live.uuid} is gone (${how}); it may come back`)
    }
  })

  const run = Effect.fn("LiveSession.run")(function* (work: LiveWork) {
    const { live, session } = work
    const folder = `${settings.recordings}/${session.token}`
    yield* Effect.promise(() => mkdir(folder, { recursive: true, mode: 0o700 }))
    const earlier = yield* Effect.promise(() => earlierRuns(folder, session.token))
    const progress: Progress = { run: earlier, outputs: undefined, files: undefined, shown: false }
    const end = yield* Effect.raceFirst(connections(work, progress, folder), Deferred.await(work.forced))
    if (progress.files !== undefined) yield* progress.files.close
    yield* sessions.end(session.id, end.error).pipe(Effect.retry(whileAway))
    yield* Effect.logInfo(`Live ${live.uuid} has ended: ${end.reason}`)
    return { end, files: progress.files, folder }
  })

  return LiveSession.of({ run })
})

/**
 * A session of a live: one fiber, from the first connection of its publisher to its end. Its row is in the database, its
 * recording on the disk; when the process dies, the next one goes on with both.
 */
export class LiveSession extends Context.Service<
  LiveSession,
  {
    readonly run: (
      work: LiveWork
    ) => Effect.Effect<
      { readonly end: LiveEnd; readonly files: LiveFilesOf | undefined; readonly folder: string },
      DatabaseUnavailable
    >
  }
>()("@kinora/node/live/session/LiveSession") {
  static readonly layer = Layer.effect(LiveSession, make)
}
