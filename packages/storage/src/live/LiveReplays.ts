import { VideoState } from "@kinora/domain/enums/VideoState"
import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import type { JobLease, LeaseLost } from "../platform/jobs/Job.ts"
import { JobBoard } from "../platform/jobs/JobBoard.ts"
import { addChapters } from "./MarkChapters.ts"
import { lockVideo } from "../video/write/VideoFiles.ts"

/** A session whose replay is to be made. */
export interface EndedSession {
  readonly id: number
  readonly videoId: number
  readonly token: string
  readonly startedAt: Date
  readonly permanent: boolean
  readonly name: string
  readonly privacy: number
  readonly replayPrivacy: number
  readonly replayVideoId: number | null
}

/** A replay, and the chapters at what was marked while it was live. */
export interface MarkedReplay {
  readonly videoId: number
  readonly chapters: ReadonlyArray<Chapter>
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const find = (sessionId: number) =>
    withDatabaseErrors(
      Effect.map(
        sql<EndedSession>`
          select s.id, s.video_id as "videoId", s.token::text as token, s.started_at as "startedAt",
            coalesce(l.permanent, false) as permanent, v.name, v.privacy,
            coalesce(s.replay_privacy, v.privacy) as "replayPrivacy", s.replay_video_id as "replayVideoId"
          from live_session s join video v on v.id = s.video_id left join live_video l on l.video_id = v.id
          where s.id = ${sessionId} and s.ended_at is not null and not s.ending_processed`,
        ([row]) => Option.fromUndefinedOr(row)
      )
    )

  /** The live itself becomes a video that waits for its files. */
  const turnLive = Effect.fnUntraced(function* (session: EndedSession) {
    yield* sql`
      update video set is_live = false, state = ${VideoState.toTranscode}, privacy = ${session.replayPrivacy},
        updated_at = now()
      where id = ${session.videoId}`
    yield* sql`delete from live_video where video_id = ${session.videoId}`
    yield* sql`delete from live_schedule where video_id = ${session.videoId}`
    return session.videoId
  })

  /** A video with what the live says of itself. */
  const copyLive = Effect.fnUntraced(function* (session: EndedSession, name: string, origin: string) {
    const { videoId } = session
    const [copied] = yield* sql<{ id: number }>`
      insert into video (
        uuid, url, name, state, privacy, channel_id, account_id, category, licence, language, nsfw, nsfw_flags,
        nsfw_summary, description, support, download_enabled, comments_policy, embed_privacy_policy,
        originally_published_at, input_file_updated_at
      )
      select u.id, ${origin} || '/videos/watch/' || u.id, ${name}, ${VideoState.toTranscode}, ${session.replayPrivacy},
        v.channel_id, v.account_id, v.category, v.licence, v.language, v.nsfw, v.nsfw_flags, v.nsfw_summary,
        v.description, v.support, v.download_enabled, v.comments_policy, v.embed_privacy_policy, ${session.startedAt},
        now()
      from video v, (select gen_random_uuid() as id) u where v.id = ${videoId} returning id`
    const { id } = copied!
    yield* sql`insert into video_tag (video_id, tag_id) select ${id}, tag_id from video_tag where video_id = ${videoId}`
    yield* sql`
      insert into video_password (video_id, password) select ${id}, password from video_password
      where video_id = ${videoId}`
    yield* sql`
      insert into video_embed_domain (video_id, domain) select ${id}, domain from video_embed_domain
      where video_id = ${videoId}`
    yield* sql`
      insert into video_blacklist (video_id, type, reason, unfederated) select ${id}, type, reason, unfederated
      from video_blacklist where video_id = ${videoId}`
    return id
  })

  const become = Effect.fn("LiveReplays.become")(
    function* (session: EndedSession, name: string, origin: string) {
      const video = yield* lockVideo(sql, session.videoId)
      if (video === undefined) return Option.none()
      if (session.replayVideoId !== null) return Option.some(session.replayVideoId)
      const replay = session.permanent ? yield* copyLive(session, name, origin) : yield* turnLive(session)
      yield* sql`update live_session set replay_video_id = ${replay} where id = ${session.id}`
      return Option.some(replay)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const settle = Effect.fn("LiveReplays.settle")(
    function* (sessionId: number, lease: JobLease, replay?: MarkedReplay) {
      if (replay !== undefined) yield* addChapters(sql, replay.videoId, replay.chapters)
      yield* sql`update live_session set ending_processed = true where id = ${sessionId}`
      yield* jobs.complete(lease)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return LiveReplays.of({ find, become, settle })
})

/** Turns ended sessions of lives into videos. */
export class LiveReplays extends Context.Service<
  LiveReplays,
  {
    /** None: nothing is left to do. */
    readonly find: (sessionId: number) => Effect.Effect<Option.Option<EndedSession>, DatabaseUnavailable>
    /**
     * The video that the replay becomes: the live itself, or a new one with this name if the live is permanent. It waits
     * for its files. Repeated, it returns the same video. None: the live was deleted.
     */
    readonly become: (
      session: EndedSession,
      name: string,
      origin: string
    ) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /**
     * Nothing is left to do: gives the replay its chapters, and ends the job. May take part in the transaction of the
     * caller.
     */
    readonly settle: (
      sessionId: number,
      lease: JobLease,
      replay?: MarkedReplay
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
  }
>()("@kinora/storage/live/LiveReplays") {
  static readonly layer = Layer.effect(LiveReplays, make)
}
