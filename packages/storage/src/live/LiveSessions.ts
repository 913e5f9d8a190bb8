import { VideoState } from "@kinora/domain/enums/VideoState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import type { NewJob } from "../platform/jobs/Job.ts"
import { JobBoard } from "../platform/jobs/JobBoard.ts"
import { lockVideo } from "../video/write/VideoFiles.ts"

/** A session of a live that goes on, or has just ended. */
export interface RunningSession {
  readonly id: number
  readonly videoId: number
  /** Begins the names of its files, and is the folder of its recording. */
  readonly token: string
  readonly startedAt: Date
  readonly saveReplay: boolean
}

/** Job type of what follows the end of a session (contract: JobType). */
export const liveEndingType = "video-live-ending"

/** What is left to do after a session has ended. */
const liveEndingJob = (session: Pick<RunningSession, "id" | "videoId">): NewJob => ({
  type: liveEndingType,
  payload: { sessionId: session.id },
  videoId: session.videoId,
  priority: 20,
  maxAttempts: 12,
  dedupeKey: `live-ending:${session.id}`
})

const columns = `id, video_id as "videoId", token::text as token, started_at as "startedAt", save_replay as "saveReplay"`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard
  const session = sql.literal(columns)

  const begin = Effect.fn("LiveSessions.begin")(
    function* (videoId: number, holder: string) {
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined || video.state === VideoState.liveEnded) return Option.none()
      const running = yield* sql`select 1 from live_session where video_id = ${videoId} and ended_at is null`
      if (running.length > 0) return Option.none()
      const [begun] = yield* sql<RunningSession>`
        insert into live_session (video_id, holder, save_replay, replay_privacy)
        select l.video_id, ${holder}, l.save_replay, l.replay_privacy from live_video l where l.video_id = ${videoId}
        returning ${session}`
      return Option.fromUndefinedOr(begun)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const show = Effect.fn("LiveSessions.show")(
    function* (running: RunningSession, aspectRatio: number | null) {
      const video = yield* lockVideo(sql, running.videoId)
      if (video === undefined) return false
      yield* sql`
        insert into streaming_playlist (video_id, playlist_filename, segments_sha256_filename)
        values (${running.videoId}, ${`${running.token}-master.m3u8`}, ${`${running.token}-segments-sha256.json`})
        on conflict (video_id, type) do update set playlist_filename = excluded.playlist_filename,
          segments_sha256_filename = excluded.segments_sha256_filename, updated_at = now()`
      yield* sql`
        update video set state = ${VideoState.published}, published_at = now(), updated_at = now(),
          aspect_ratio = ${aspectRatio}
        where id = ${running.videoId}`
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const end = Effect.fn("LiveSessions.end")(
    function* (sessionId: number, error: number | null) {
      const [known] = yield* sql<{ videoId: number }>`
        select video_id as "videoId" from live_session where id = ${sessionId} and ended_at is null`
      if (known === undefined) return false
      const video = yield* lockVideo(sql, known.videoId)
      const [ended] = yield* sql<RunningSession>`
        update live_session set ended_at = now(), error = ${error}, ending_processed = not save_replay
        where id = ${sessionId} and ended_at is null returning ${session}`
      if (video === undefined || ended === undefined) return false
      yield* sql`delete from streaming_playlist where video_id = ${video.id}`
      // One that nobody could see waits again: its publisher may have sent what cannot be shown.
      const wasShown = video.state === VideoState.published
      // Whoever subscribes is notified of each session of a permanent live.
      yield* sql`
        update video v set updated_at = now(), announced = v.announced and not l.permanent, state = case
          when l.permanent or not ${wasShown} then ${VideoState.waitingForLive}::int else ${VideoState.liveEnded}::int end
        from live_video l where v.id = ${video.id} and l.video_id = v.id`
      if (ended.saveReplay) yield* jobs.enqueue(liveEndingJob(ended))
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const left = (holder: string) =>
    withDatabaseErrors(
      sql<RunningSession>`select ${session} from live_session where holder = ${holder} and ended_at is null order by id`
    )

  const needed = (tokens: ReadonlyArray<string>) =>
    withDatabaseErrors(
      Effect.map(
        sql<{ token: string }>`
          select token::text as token from live_session where token::text = any(${tokens}::text[]) and not ending_processed`,
        (rows) => new Set(rows.map(({ token }) => token))
      )
    )

  const isLost = (aliveSeconds: number) =>
    sql`ended_at is null and not exists (
      select from cluster_node n where n.name = live_session.holder
        and n.seen_at > now() - ${aliveSeconds} * interval '1 second')`

  const orphaned = (aliveSeconds: number) =>
    withDatabaseErrors(sql<RunningSession>`select ${session} from live_session where ${isLost(aliveSeconds)}`)

  const adopt = Effect.fn("LiveSessions.adopt")(function* (videoId: number, holder: string, aliveSeconds: number) {
    const rows = yield* sql<RunningSession>`
      update live_session set holder = ${holder} where video_id = ${videoId} and holder <> ${holder} and ${isLost(aliveSeconds)}
      returning ${session}`
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  return LiveSessions.of({ begin, show, end, left, needed, orphaned, adopt })
})

/** The stretches in which lives are published, each change of theirs one transaction. */
export class LiveSessions extends Context.Service<
  LiveSessions,
  {
    /** Begins a session. None: the live has ended, is being published already, or was deleted. */
    readonly begin: (
      videoId: number,
      holder: string
    ) => Effect.Effect<Option.Option<RunningSession>, DatabaseUnavailable>
    /** There is something to see: the video is published with the playlist of the session. False: it was deleted. */
    readonly show: (session: RunningSession, aspectRatio: number | null) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Ends a session. The live waits again if it is permanent or nobody could see anything, else it has ended. With a
     * replay to be saved, its job is queued. False: it had ended, or its live was deleted.
     */
    readonly end: (sessionId: number, error: number | null) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Which of these sessions go on, or have a replay to be made of their recording. */
    readonly needed: (tokens: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
    /** Sessions that go on and whose node is not alive, in a cluster. */
    readonly orphaned: (aliveSeconds: number) => Effect.Effect<ReadonlyArray<RunningSession>, DatabaseUnavailable>
    /** Makes such a session this node's. None: its node is alive, or another one has it by now. */
    readonly adopt: (
      videoId: number,
      holder: string,
      aliveSeconds: number
    ) => Effect.Effect<Option.Option<RunningSession>, DatabaseUnavailable>
    /** Sessions that a node left when it died. */
    readonly left: (holder: string) => Effect.Effect<ReadonlyArray<RunningSession>, DatabaseUnavailable>
  }
>()("@kinora/storage/live/LiveSessions") {
  static readonly layer = Layer.effect(LiveSessions, make)
}
