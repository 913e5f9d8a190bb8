import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/**
 * Everything about a video that people change, as the audit log keeps it. Files that replace others have new names, so that
 * they differ. Of passwords there are only the row ids.
 */
export interface VideoValues {
  readonly [name: string]: unknown
}

/** Reads what changes of videos are compared by. */
export class VideoValueReads extends Context.Service<
  VideoValueReads,
  {
    /** Undefined if there is no such video. */
    readonly of: (videoId: number) => Effect.Effect<VideoValues | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/video/write/VideoValueReads") {
  static readonly layer = Layer.effect(
    VideoValueReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const of = Effect.fn("VideoValueReads.of")(function* (videoId: number) {
        const [row] = yield* sql<VideoValues>`
          select v.name, v.description, v.support, v.privacy, v.category, v.licence, v.language, v.nsfw,
            v.nsfw_flags as "nsfwFlags", v.nsfw_summary as "nsfwSummary", v.comments_policy as "commentsPolicy",
            v.download_enabled as "downloadEnabled", wire_time(v.originally_published_at) as "originallyPublishedAt",
            v.channel_id as "channelId", v.account_id as "accountId", v.player_theme as "playerTheme",
            v.embed_privacy_policy as "embedPolicy",
            array(select domain from video_embed_domain d where d.video_id = v.id order by 1) as "embedDomains",
            array(
              select t.name::text from video_tag x join tag t on t.id = x.tag_id where x.video_id = v.id order by 1
            ) as tags,
            (
              select wire_time(s.update_at) || ' ' || s.privacy from video_schedule_update s where s.video_id = v.id
            ) as schedule,
            array(select c.language || ' ' || c.filename from video_caption c where c.video_id = v.id order by 1)
              as captions,
            array(
              select h.timecode || ' ' || h.title from video_chapter h where h.video_id = v.id order by h.timecode
            ) as chapters,
            array(select p.id from video_password p where p.video_id = v.id order by 1) as "passwordIds",
            array(select n.filename from thumbnail n where n.video_id = v.id order by 1) as thumbnails,
            array(select f.resolution from video_file f where f.video_id = v.id order by 1 desc) as "webVideos",
            array(
              select f.resolution from streaming_playlist p join video_file f on f.streaming_playlist_id = p.id
              where p.video_id = v.id order by 1 desc
            ) as hls,
            (
              select s.filename from video_source s where s.video_id = v.id order by s.id desc limit 1
            ) as "sourceFile"
          from video v where v.id = ${videoId}`
        return row
      }, withDatabaseErrors)
      return VideoValueReads.of({ of })
    })
  )
}
