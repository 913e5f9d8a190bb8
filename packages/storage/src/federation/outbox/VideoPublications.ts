import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { rowsOf } from "../activitypub/ObjectFound.ts"
import {
  ChaptersRow,
  PlayerSettingsRow,
  selectChapters,
  selectPlayerSettings
} from "../activitypub/rows/VideoPartRows.ts"
import { selectVideos, VideoRow } from "../activitypub/rows/VideoRow.ts"

/** What others have of a video of ours. */
export interface SentVideo {
  /** False: it was deleted for them. */
  readonly announced: boolean
  /** How often it was created for them. */
  readonly times: number
  /** Whether channel and instance announced it: only what is public is. */
  readonly shared: boolean
  readonly channelActorId: number
  readonly accountActorId: number
  /** Former channels and owners, whose followers have it too. */
  readonly former: ReadonlyArray<number>
  readonly digest: string | null
}

/** A video of ours as it is now. */
export interface PublishedVideo {
  readonly url: string
  readonly isPublic: boolean
  /** Whether others hear of it without asking. */
  readonly isPushed: boolean
  /** Whether others may ask for it: moderators have not hidden it. */
  readonly isShown: boolean
  /** Nothing but its state keeps it from others: it is transcoded anew, edited or moved, and comes back. */
  readonly comesBack: boolean
  readonly channelActorId: number
  readonly accountActorId: number
  readonly instanceActorId: number
  /** Null: nothing was sent. */
  readonly sent: SentVideo | null
}

/** What others have of our videos. Everything takes part in the caller's transaction. */
export class VideoPublications extends Context.Service<
  VideoPublications,
  {
    /** Undefined: it is none of ours, or gone. */
    readonly of: (videoId: number) => Effect.Effect<PublishedVideo | undefined, DatabaseUnavailable>
    /** What its object and that of its chapters are made of. */
    readonly rows: (
      videoId: number
    ) => Effect.Effect<{ readonly video: VideoRow; readonly chapters: ChaptersRow }, DatabaseUnavailable>
    /** How it is to be played. */
    readonly playerSettings: (videoId: number) => Effect.Effect<PlayerSettingsRow, DatabaseUnavailable>
    /** It was sent as it is. */
    readonly remember: (
      videoId: number,
      sent: { readonly video: PublishedVideo; readonly digest: string }
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** It was deleted for others. */
    readonly withdraw: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Nobody has it: whoever comes later asks for what there is. */
    readonly forget: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/VideoPublications") {
  static readonly layer = Layer.effect(
    VideoPublications,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const of = Effect.fnUntraced(function* (videoId: number) {
        // A deletion waits until what is sent here is remembered, and finds it.
        yield* sql`select from video where id = ${videoId} for key share`
        const [row] = yield* sql<PublishedVideo>`
          select v.url, v.privacy = 1 as "isPublic", video_is_pushed(v.id) as "isPushed",
            video_is_dereferenced(v.id) as "isShown",
            v.state not in (1, 4, 5) and (v.privacy = 1 or (v.privacy = 2 and federation_setting('federateUnlisted', false)))
              and not exists (select from video_blacklist b where b.video_id = v.id and b.unfederated) as "comesBack",
            c.actor_id as "channelActorId", a.actor_id as "accountActorId", instance_actor() as "instanceActorId",
            (
              select json_build_object('announced', s.announced, 'times', s.times, 'shared', s.shared,
                'channelActorId', s.channel_actor_id, 'accountActorId', s.account_actor_id, 'former', s.former,
                'digest', encode(s.digest, 'hex'))
              from video_published s where s.video_id = v.id
            ) as sent
          from video v join video_channel c on c.id = v.channel_id join account a on a.id = v.account_id
          where v.id = ${videoId} and not v.remote`
        return row
      }, withDatabaseErrors)

      const videos = rowsOf(sql, VideoRow)
      const chapters = rowsOf(sql, ChaptersRow)
      const rows = Effect.fnUntraced(function* (videoId: number) {
        const [video] = yield* videos(selectVideos("v.id = $1"), [videoId])
        const [parts] = yield* chapters(selectChapters("v.id = $1"), [videoId])
        return { video: video!, chapters: parts! }
      })

      const settings = rowsOf(sql, PlayerSettingsRow)
      const playerSettings = Effect.fnUntraced(function* (videoId: number) {
        return (yield* settings(selectPlayerSettings("v.id = $1"), [videoId]))[0]!
      })

      const remember = Effect.fnUntraced(function* (
        videoId: number,
        { digest, video }: { readonly video: PublishedVideo; readonly digest: string }
      ) {
        yield* sql`
          insert into video_published as s (video_id, announced, shared, channel_actor_id, account_actor_id, digest)
          values (${videoId}, true, ${video.isPublic}, ${video.channelActorId}, ${video.accountActorId},
            decode(${digest}, 'hex'))
          on conflict (video_id) do update set announced = true, shared = excluded.shared,
            channel_actor_id = excluded.channel_actor_id, account_actor_id = excluded.account_actor_id,
            digest = excluded.digest,
            former = array(
              select distinct u from unnest(s.former || s.channel_actor_id || s.account_actor_id) u
              where u not in (excluded.channel_actor_id, excluded.account_actor_id)
            ),
            times = s.times + (not s.announced)::integer`
      }, withDatabaseErrors)

      const withdraw = Effect.fnUntraced(function* (videoId: number) {
        yield* sql`update video_published set announced = false, digest = null where video_id = ${videoId}`
      }, withDatabaseErrors)

      const forget = Effect.fnUntraced(function* (videoId: number) {
        yield* sql`delete from video_published where video_id = ${videoId}`
      }, withDatabaseErrors)

      return VideoPublications.of({ of, rows, playerSettings, remember, withdraw, forget })
    })
  )
}
