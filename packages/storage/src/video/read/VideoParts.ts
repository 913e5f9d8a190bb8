import { labelled } from "@kinora/domain/enums/Labelled"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Json, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import type { Storyboard, StoryboardList, VideoCaption, VideoDescription } from "@kinora/domain/wire/VideoAnswers"
import type { VideoFileMetadata, VideoSource } from "@kinora/domain/wire/VideoFile"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { hlsFolder } from "./VideoFileJson.ts"
import { videoSources } from "./VideoSources.ts"

type Text<A> = Effect.Effect<Option.Option<Json<A>>, DatabaseUnavailable>

interface CaptionRow {
  readonly language: string
  readonly automaticallyGenerated: boolean
  readonly filename: string
  readonly playlistFilename: string | null
  readonly remoteUrl: string | null
  readonly updatedAt: string
  readonly uuid: string
  readonly privacy: number
  readonly origin: string
}

/** Subtitles (contract: VideoCaption). */
const caption = (row: CaptionRow): Json<VideoCaption> => {
  const captionPath = `/lazy-static/video-captions/${row.filename}`
  return toJson<VideoCaption>({
    language: labelled(row.language, videoLanguageLabels),
    automaticallyGenerated: row.automaticallyGenerated,
    captionPath,
    fileUrl: row.remoteUrl ?? `${row.origin}${captionPath}`,
    m3u8Url: row.playlistFilename === null ? null : `${hlsFolder(row)}${row.playlistFilename}`,
    updatedAt: row.updatedAt
  })
}

interface StoryboardRow extends Omit<Storyboard, "storyboardPath" | "fileUrl"> {
  readonly filename: string
  readonly remoteUrl: string | null
  readonly origin: string
}

const storyboard = ({ filename, origin, remoteUrl, ...sizes }: StoryboardRow): Storyboard => {
  const storyboardPath = `/lazy-static/storyboards/${filename}`
  return { storyboardPath, fileUrl: remoteUrl ?? `${origin}${storyboardPath}`, ...sizes }
}

/** Parts of a video that have answers of their own, as JSON text in the shape clients read. */
export class VideoParts extends Context.Service<
  VideoParts,
  {
    /** `{"description":…}`, the whole text. */
    readonly description: (videoId: number) => Text<VideoDescription>
    /** `{"total":…,"data":[…]}` of captions by language (contract: VideoCaption). */
    readonly captions: (videoId: number) => Effect.Effect<JsonPage<VideoCaption>, DatabaseUnavailable>
    /** `{"storyboards":[…]}` (contract: Storyboard). */
    readonly storyboards: (videoId: number) => Text<StoryboardList>
    /** The latest source (contract: VideoSource); none when there was none. */
    readonly source: (videoId: number) => Text<VideoSource>
    /** What ffprobe said of a file of the video; none when it is not the video's or was not kept. */
    readonly metadata: (videoId: number, fileId: number) => Text<VideoFileMetadata>
  }
>()("@kinora/storage/video/read/VideoParts") {
  static readonly layer = Layer.effect(
    VideoParts,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const first = <A>(rows: ReadonlyArray<{ readonly text: Json<A> | null }>) => Option.fromNullishOr(rows[0]?.text)

      const description = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(sql<VideoDescription>`select description from video where id = ${videoId}`, ([row]) =>
            Option.map(Option.fromUndefinedOr(row), toJson)
          )
        )

      const captions = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<CaptionRow>`
              select c.language, c.automatically_generated as "automaticallyGenerated", c.filename,
                c.playlist_filename as "playlistFilename", c.remote_url as "remoteUrl",
                wire_time(c.updated_at) as "updatedAt", v.uuid::text as uuid, v.privacy, wire_origin() as origin
              from video_caption c join video v on v.id = c.video_id where c.video_id = ${videoId} order by c.language`,
            (rows) => textPage(rows.length, rows.map(caption))
          )
        )

      const storyboards = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<StoryboardRow>`
              select filename, remote_url as "remoteUrl", total_height as "totalHeight", total_width as "totalWidth",
                sprite_height as "spriteHeight", sprite_width as "spriteWidth", sprite_duration as "spriteDuration",
                wire_origin() as origin
              from storyboard where video_id = ${videoId}`,
            (rows) => Option.some(toJson<StoryboardList>({ storyboards: rows.map(storyboard) }))
          )
        )

      const source = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(videoSources(sql, [videoId]), (found) =>
            Option.map(Option.fromUndefinedOr(found.get(videoId)), (one) => toJson<VideoSource>(one))
          )
        )

      const metadata = (videoId: number, fileId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<{ text: Json<VideoFileMetadata> | null }>`
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
