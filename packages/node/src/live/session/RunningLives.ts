import { LiveError } from "@kinora/domain/enums/Live"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { PublishRefused, type Publisher, type PublishRequest } from "@kinora/ingest/Publisher"
import type { LiveHealth } from "@kinora/domain/wire/LiveHealth"
import { LiveRows, type PublishedLive } from "@kinora/storage/live/LiveRows"
import { LiveSessions, type RunningSession } from "@kinora/storage/live/LiveSessions"
import {
  Cause,
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  FiberMap,
  FiberSet,
  Layer,
  Option,
  PubSub,
  Queue
} from "effect"
import { readdir, rm } from "node:fs/promises"
import { aliveSeconds } from "../../platform/cluster/ClusterTimes.ts"
import { Placement } from "../../platform/cluster/Placement.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { keyDigest } from "../key/LiveKeys.ts"
import { type Incoming, makeIncoming } from "./Incoming.ts"
import { type LiveEnd, publisherLeft } from "./LiveEnd.ts"
import { LiveEvents } from "./LiveEvents.ts"
import { LiveSession, type LiveWork } from "./LiveSession.ts"
import { LiveWatch } from "./LiveWatch.ts"
import { measured, silence } from "./MeasuredHealth.ts"
import type { LiveMoment, RunningLive } from "./RunningLive.ts"
import { StreamHealth } from "./StreamHealth.ts"

/** Keys that open nothing, from one address. */
const wrongKeys = { max: 20, windowMillis: 60_000, exact: true }

/** Players that are behind still read the last segments. */
const servedAfter = Duration.seconds(60)

const removeFolder = (folder: string) => Effect.promise(() => rm(folder, { recursive: true, force: true }))

const refused = (reason: string, why?: PublishRefused["why"]) =>
  Effect.fail(new PublishRefused({ reason, ...(why === undefined ? {} : { why }) }))

const notReady = "The instance is not ready: try again"
const taken = "This live is being published already"

const make = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const rows = yield* LiveRows
  const sessions = yield* LiveSessions
  const session = yield* LiveSession
  const watch = yield* LiveWatch
  const events = yield* LiveEvents
  const limits = yield* RateLimitStore
  const fibers = yield* FiberMap.make<number>()
  const afterwards = yield* FiberSet.make()
  const running = new Map<number, RunningLive>()
  const { several } = yield* Placement

  const announce = ({ uuid, videoId }: PublishedLive, state: number, forced = false) =>
    PubSub.publish(events, { videoId, uuid, state, forced })

  /** The session is over. A publisher who came at this moment is sent away, and not left waiting. */
  const close = Effect.fnUntraced(function* (one: RunningLive) {
    one.closed = true
    if (running.get(one.live.videoId) === one) running.delete(one.live.videoId)
    yield* Effect.forEach(yield* Queue.clear(one.arrivals), (incoming) => incoming.stop(publisherLeft.reason), {
      discard: true
    })
  })

  /** Runs a session to its end, in a fiber of its own. */
  const begin = Effect.fnUntraced(function* (live: PublishedLive, row: RunningSession) {
    const { videoId } = live
    const arrivals = yield* Queue.bounded<Incoming>(1)
    const forced = yield* Deferred.make<LiveEnd>()
    const one: RunningLive = {
      live,
      arrivals,
      forced,
      connectedAt: undefined,
      health: new StreamHealth(),
      row,
      run: undefined,
      closed: false,
      plan: undefined
    }
    running.set(videoId, one)
    let recorded = 0
    const onBytes = (bytes: number) => {
      if (row.saveReplay) recorded += bytes
    }
    const watched = { videoId, startedAt: row.startedAt.getTime(), recorded: () => recorded }
    const onPlan: LiveWork["onPlan"] = (info, outputs) => void (one.plan = { info, outputs })
    const onRun: LiveWork["onRun"] = (number, beganAt) => void (one.run = { number, beganAt })
    const onShown = announce(live, VideoState.published)
    const work = { live, session: row, arrivals, forced, onBytes, onPlan, onRun, onShown }
    const whole = Effect.gen(function* () {
      yield* Effect.forkScoped(Effect.flatMap(watch.end(watched), (end) => Deferred.succeed(forced, end)))
      const { end, files, folder } = yield* session.run(work)
      yield* close(one)
      const found = yield* rows.published(videoId)
      const state = Option.match(found, { onNone: () => VideoState.liveEnded, onSome: (it) => it.state })
      yield* announce(live, state, end.error !== null)
      yield* FiberSet.run(
        afterwards,
        Effect.gen(function* () {
          yield* Effect.sleep(servedAfter)
          if (files !== undefined) yield* files.remove
          // The job that makes the replay needs the recording, and removes it.
          if (!row.saveReplay || Option.isNone(found)) yield* removeFolder(folder)
        })
      )
    }).pipe(
      Effect.scoped,
      // A node that stops leaves its sessions to the next start.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.andThen(
              Effect.logError(`The session of live ${live.uuid} died`, cause),
              Effect.ignore(sessions.end(row.id, LiveError.unknown), { log: "Error" })
            )
      ),
      Effect.ensuring(close(one))
    )
    // By session: the next one of a permanent live may begin before this fiber is through.
    yield* FiberMap.run(fibers, row.id, whole)
    return one
  })

  const found = Effect.fnUntraced(function* ({ address, key }: PublishRequest) {
    const now = yield* Clock.currentTimeMillis
    const { used } = yield* limits.hit(`live key ${address}`, wrongKeys, now)
    if (used > wrongKeys.max) return yield* refused("Too many wrong stream keys: try again in a minute", "limit")
    const live = yield* rows.byKey(keyDigest(key))
    if (Option.isNone(live)) return yield* refused("This stream key opens no live", "key")
    yield* limits.refund(`live key ${address}`, wrongKeys, now)
    return live.value
  })

  /** The session that runs, if there is one. Fails when none may begin. */
  const permitted = Effect.fnUntraced(function* (live: PublishedLive) {
    if (!settings.enabled) return yield* refused("Live streaming is not enabled on this instance")
    if (live.ownerBlocked || live.blacklisted) return yield* refused("This live is blocked")
    const known = running.get(live.videoId)
    if (known?.connectedAt !== undefined) return yield* refused(taken, "busy")
    if (known === undefined && live.state === VideoState.liveEnded) return yield* refused("This live has ended")
    return known
  })

  const admit = Effect.fnUntraced(function* (live: PublishedLive) {
    const known = yield* permitted(live)
    if (known !== undefined) return known
    let begun = yield* sessions.begin(live.videoId, settings.holder)
    // The publisher's node may be lost.
    if (Option.isNone(begun) && several) begun = yield* sessions.adopt(live.videoId, settings.holder, aliveSeconds)
    if (Option.isNone(begun)) return yield* refused(`${taken}, or has ended`, "busy")
    return yield* begin(live, begun.value)
  })

  const publish = Effect.fn("RunningLives.publish")(
    function* (request: PublishRequest) {
      const one = yield* admit(yield* found(request))
      if (one.connectedAt !== undefined) return yield* refused(taken, "busy")
      one.connectedAt = yield* Clock.currentTimeMillis
      const health = (one.health = new StreamHealth())
      const { incoming, publisher } = yield* makeIncoming
      yield* Queue.offer(one.arrivals, incoming)
      if (one.closed) return yield* refused(publisherLeft.reason)
      const ended: Publisher["ended"] = (end) =>
        Effect.ensuring(
          publisher.ended(end),
          Effect.sync(() => void (one.connectedAt = undefined))
        )
      const write: Publisher["write"] = (tag) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          health.add(tag, now)
          return publisher.write(tag)
        })
      return { ...publisher, ended, write }
    },
    Effect.catchTag("DatabaseUnavailable", () => refused(notReady, "unavailable"))
  )

  const check = Effect.fn("RunningLives.check")(
    function* (request: PublishRequest) {
      const live = yield* found(request)
      yield* permitted(live)
      return live
    },
    Effect.catchTag("DatabaseUnavailable", () => refused(notReady, "unavailable"))
  )

  const end = Effect.fn("RunningLives.end")(function* (videoId: number, reason: LiveEnd) {
    const one = running.get(videoId)
    if (one === undefined) return false
    yield* Deferred.succeed(one.forced, reason)
    return true
  })

  const health = (videoId: number) =>
    Effect.map(Clock.currentTimeMillis, (now): LiveHealth => {
      const one = running.get(videoId)
      return one?.connectedAt === undefined ? silence : measured(one.connectedAt, one.health, one.plan, now)
    })

  const arriving = Effect.map(Clock.currentTimeMillis, (now) => {
    const connected = [...running.values()].filter(({ connectedAt }) => connectedAt !== undefined)
    const bitRate = connected.reduce((sum, one) => sum + one.health.measure(now).bitRate, 0)
    return { publishers: connected.length, bitRate }
  })

  const moment = (videoId: number) =>
    Effect.map(Clock.currentTimeMillis, (now): LiveMoment | undefined => {
      const one = running.get(videoId)
      if (one?.run === undefined) return undefined
      const { row, run } = one
      return {
        sessionId: row.id,
        saveReplay: row.saveReplay,
        run: run.number,
        offset: Math.max(0, now - run.beganAt)
      }
    })

  const goOn = Effect.fnUntraced(function* (row: RunningSession) {
    const live = yield* rows.published(row.videoId)
    if (running.has(row.videoId)) return
    if (Option.isNone(live)) return yield* Effect.asVoid(sessions.end(row.id, null))
    yield* Effect.logInfo(`The publisher of live ${live.value.uuid} may come back`)
    yield* begin(live.value, row)
  })

  const takeUp = Effect.gen(function* () {
    const folders = yield* Effect.promise(() => readdir(settings.recordings).catch(() => []))
    const needed = yield* sessions.needed(folders)
    // What a crash left of lives that are over.
    for (const folder of folders) if (!needed.has(folder)) yield* removeFolder(`${settings.recordings}/${folder}`)
    for (const row of yield* sessions.left(settings.holder)) yield* goOn(row)
  }).pipe(Effect.withSpan("RunningLives.takeUp"))

  const here = () => [...running.values()].map(({ live }) => live.uuid)

  return RunningLives.of({
    publish,
    check,
    end,
    health,
    arriving,
    moment,
    goOn,
    takeUp,
    here,
    isHere: (videoId) => running.has(videoId)
  })
})

/** The lives that are being published through this node. */
export class RunningLives extends Context.Service<
  RunningLives,
  {
    /** Lets a publisher in. */
    readonly publish: (request: PublishRequest) => Effect.Effect<Publisher, PublishRefused>
    /** Who would be let in now, with the same refusals. Nothing begins. */
    readonly check: (request: PublishRequest) => Effect.Effect<PublishedLive, PublishRefused>
    /** Ends the session of a live. False: it is not being published here. */
    readonly end: (videoId: number, reason: LiveEnd) => Effect.Effect<boolean>
    /** How its stream arrives. Nothing is known of one that is published through another node. */
    readonly health: (videoId: number) => Effect.Effect<LiveHealth>
    /** Publishers that are connected to this node, and the bits that they send per second. */
    readonly arriving: Effect.Effect<{ readonly publishers: number; readonly bitRate: number }>
    /** Where its session is. Undefined: it is not being published here. */
    readonly moment: (videoId: number) => Effect.Effect<LiveMoment | undefined>
    /** Goes on with a session that nobody holds any more. */
    readonly goOn: (session: RunningSession) => Effect.Effect<void, DatabaseUnavailable>
    readonly isHere: (videoId: number) => boolean
    /** UUIDs of the lives whose sessions this node holds. */
    readonly here: () => ReadonlyArray<string>
    /** Goes on with the sessions that were running when this node was stopped: their publishers may come back. */
    readonly takeUp: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/live/session/RunningLives") {
  static readonly layer = Layer.effect(RunningLives, make)
}
