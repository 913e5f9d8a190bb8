import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

type Text = Effect.Effect<Option.Option<string>, DatabaseUnavailable>

/** Parts of a video that have answers of their own, as JSON text in the shape clients read. */
export class VideoParts extends Context.Service<
  VideoParts,
  {
    /** `{"description":…}`, the whole text. */
    readonly description: (videoId: number) => Text
    /** `{"total":…,"data":[…]}` of captions by language (contract: VideoCaption). */
    readonly captions: (videoId: number) => Effect.Effect<string, DatabaseUnavailable>
    /** `{"storyboards":[…]}` (contract: Storyboard). */
    readonly storyboards: (videoId: number) => Text
    /** The latest source (contract: VideoSource); none when there was none. */
    readonly source: (videoId: number) => Text
    /** What ffprobe said of a file of the video; none when it is not the video's or was not kept. */
    readonly metadata: (videoId: number, fileId: number) => Text
  }
>()("@kinora/storage/videos/access/VideoParts") {
  static readonly layer = Layer.effect(
    VideoParts,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const first = (rows: ReadonlyArray<{ readonly text: string | null }>) => Option.fromNullishOr(rows[0]?.text)

      const description = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<{ text: string }>`
              select json_build_object('description', description)::text as text from video where id = ${videoId}`,
            first
          )
        )

      const captions = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<{ text: string }>`
              select json_build_object('total', count(c.id), 'data', coalesce(json_agg(json_build_object(
                'language', wire_constant('language', c.language, true),
                'automaticallyGenerated', c.automatically_generated,
                'captionPath', '/lazy-static/video-captions/' || c.filename,
                'fileUrl', coalesce(c.remote_url, wire_origin() || '/lazy-static/video-captions/' || c.filename),
                'm3u8Url', wire_origin() || '/static/streaming-playlists/hls/'
                  || case when v.privacy > 2 then 'private/' else '' end || v.uuid || '/' || c.playlist_filename,
                'updatedAt', wire_time(c.updated_at)
              ) order by c.language), '[]'))::text as text
              from video_caption c join video v on v.id = c.video_id where c.video_id = ${videoId}`,
            (rows) => rows[0]!.text
          )
        )

      const storyboards = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<{ text: string }>`
              select json_build_object('storyboards', coalesce(json_agg(json_build_object(
                'storyboardPath', '/lazy-static/storyboards/' || filename,
                'fileUrl', coalesce(remote_url, wire_origin() || '/lazy-static/storyboards/' || filename),
                'totalHeight', total_height, 'totalWidth', total_width,
                'spriteHeight', sprite_height, 'spriteWidth', sprite_width, 'spriteDuration', sprite_duration
              )), '[]'))::text as text
              from storyboard where video_id = ${videoId}`,
            first
          )
        )

      const source = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(sql<{ text: string | null }>`select wire_video_source(${videoId}) as text`, first)
        )

      const metadata = (videoId: number, fileId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<{ text: string | null }>`
              select f.metadata::text as text from video_file f
              left join streaming_playlist p on p.id = f.streaming_playlist_id
              where f.id = ${fileId} and coalesce(f.video_id, p.video_id) = ${videoId}`,
            first
          )
        )

      return VideoParts.of({ captions, description, storyboards, source, metadata })
    })
  )
}
