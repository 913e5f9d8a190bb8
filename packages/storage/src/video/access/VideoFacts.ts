import { VideoState } from "@kinora/domain/enums/VideoState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { readRemoteTorrentName } from "./RemoteTorrents.ts"

/** Everything that decides who may see a video. */
export interface VideoFacts {
  readonly id: number
  readonly uuid: string
  readonly privacy: number
  readonly state: number
  readonly blacklisted: boolean
  readonly remote: boolean
  readonly isLive: boolean
  readonly accountId: number
  readonly channelId: number
  /** Accounts that accepted to collaborate on its channel. Absent for anonymous visitors. */
  readonly collaborators: ReadonlyArray<number>
}

/** Kinds of files whose names identify a video. */
export type VideoFileKind = "web-video" | "torrent" | "thumbnail" | "storyboard" | "caption"

/** The video that had a file, and the web video that stands in for it. */
export interface Replacement {
  readonly uuid: string
  readonly filename: string
}

/** The facts for access decisions, looked up by file. */
export class VideoFactRows extends Context.Service<
  VideoFactRows,
  {
    readonly byUuid: (uuid: string) => Effect.Effect<Option.Option<VideoFacts>, DatabaseUnavailable>
    /** The video a file belongs to. */
    readonly byFile: (
      kind: VideoFileKind,
      filename: string
    ) => Effect.Effect<Option.Option<VideoFacts>, DatabaseUnavailable>
    /** What replaced a web video whose file is still kept for running players. */
    readonly replacement: (filename: string) => Effect.Effect<Option.Option<Replacement>, DatabaseUnavailable>
    /** Whether the instance follows the video's publisher, or its instance, or this account its channel. */
    readonly isFollowed: (videoId: number, accountId: number | undefined) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Whether the video was a live a moment ago, and waits for the files of its replay. */
    readonly becomesReplay: (videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly passwords: (videoId: number) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/access/VideoFactRows") {
  static readonly layer = Layer.effect(
    VideoFactRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const facts = sql`
        v.id, v.uuid, v.privacy, v.state, v.remote, v.is_live as "isLive", v.account_id as "accountId", v.channel_id as "channelId",
        array(
          select k.account_id from video_channel_collaborator k where k.channel_id = v.channel_id and k.state = 2
        ) as collaborators,
        exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted
      `
      const first = (rows: ReadonlyArray<VideoFacts>) => Option.fromUndefinedOr(rows[0])

      const byUuid = (uuid: string) =>
        withDatabaseErrors(
          Effect.map(sql<VideoFacts>`select ${facts} from video v where v.uuid = ${uuid}::uuid`, first)
        )

      /** The id of the video that a file of this kind belongs to. */
      const owner = (kind: VideoFileKind, name: string) => {
        switch (kind) {
          case "web-video":
            return sql`select video_id from video_file where filename = ${name} and video_id is not null`
          case "torrent": {
            const copied = readRemoteTorrentName(name)
            if (copied !== undefined) {
              return sql`
                select coalesce(f.video_id, p.video_id) from video_file f
                left join streaming_playlist p on p.id = f.streaming_playlist_id
                where f.id = ${copied.id} and f.info_hash = ${copied.infoHash} and f.torrent_url is not null`
            }
            return sql`
              select coalesce(f.video_id, p.video_id) from video_file f
              left join streaming_playlist p on p.id = f.streaming_playlist_id where f.torrent_filename = ${name}`
          }
          case "thumbnail":
            return sql`select video_id from thumbnail where filename = ${name}`
          case "storyboard":
            return sql`select video_id from storyboard where filename = ${name}`
          case "caption":
            return sql`select video_id from video_caption where filename = ${name} or playlist_filename = ${name}`
        }
      }

      const byFile = (kind: VideoFileKind, filename: string) =>
        withDatabaseErrors(
          Effect.map(sql<VideoFacts>`select ${facts} from video v where v.id = (${owner(kind, filename)})`, first)
        )

      /** The same resolution where there is one, else the nearest. */
      const replacement = (filename: string) =>
        withDatabaseErrors(
          Effect.map(
            sql<Replacement>`
              select v.uuid, f.filename from replaced_video_file r join video v on v.id = r.video_id
                join video_file f on f.video_id = v.id and f.filename is not null
              where r.filename = ${filename} and r.kept_until > now()
              order by abs(f.resolution - r.resolution), f.resolution desc limit 1`,
            (rows) => Option.fromUndefinedOr(rows[0])
          )
        )

      const passwords = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<{ password: string }>`select password from video_password where video_id = ${videoId}`,
            (rows) => rows.map((row) => row.password)
          )
        )

      const becomesReplay = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql`
              select 1 from live_session s join video v on v.id = s.replay_video_id
              where s.replay_video_id = ${videoId} and s.video_id = s.replay_video_id and not s.ending_processed
                and v.state = ${VideoState.toTranscode} limit 1`,
            (rows) => rows.length > 0
          )
        )

      const isFollowed = (videoId: number, accountId: number | undefined) =>
        withDatabaseErrors(
          Effect.map(
            sql<{ followed: boolean }>`
              select not v.remote or video_has_followers(v.id, v.channel_id, v.account_id) or exists (
                select from account m join actor_follow f on f.actor_id = m.actor_id and f.state = 'accepted'
                  join video_channel c on c.actor_id = f.target_actor_id and c.id = v.channel_id
                where m.id = ${accountId ?? null}::integer
              ) as followed
              from video v where v.id = ${videoId}`,
            ([row]) => row?.followed === true
          )
        )

      return VideoFactRows.of({ byUuid, byFile, replacement, isFollowed, becomesReplay, passwords })
    })
  )
}
