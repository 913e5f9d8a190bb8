import { NodeServices } from "@effect/platform-node"
import { Media } from "@kinora/media/Media"
import { Probe } from "@kinora/media/probe/Probe"
import { Remux } from "@kinora/media/remux/Remux"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { DownloadRoutes } from "../../../src/video/download/DownloadRoutes.ts"
import {
  DownloadSettings,
  type DownloadSettingsShape,
  defaultDownloadSettings
} from "../../../src/video/download/DownloadSettings.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { People } from "../list/People.ts"

/** A node with people that also answers downloads, with the real tools. */
export const downloadNode = (overrides: Overrides = {}, settings: Partial<DownloadSettingsShape> = {}) => {
  const downloads = DownloadRoutes.pipe(
    Layer.provide(Layer.succeed(DownloadSettings, { ...defaultDownloadSettings, ...settings }))
  )
  return People.layer.pipe(
    Layer.provideMerge(layerServe(Layer.mergeAll(testRoutes, downloads), testOptions)),
    Layer.provideMerge(Layer.merge(testServices(overrides), Media.layer.pipe(Layer.provideMerge(NodeServices.layer))))
  )
}

/** A video whose sound is a rendition of its own, as `hls.split_audio_and_video` makes them. */
export interface SplitVideo {
  readonly uuid: string
  readonly video: number
  readonly audio: number
}

/** Publishes a clip so for `owner`, under any name. */
export const splitVideo = Effect.fn("splitVideo")(
  function* (clip: string, name: string, privacy = 1) {
    const fs = yield* FileSystem.FileSystem
    const sql = yield* SqlClient
    const store = yield* ObjectStore
    const info = yield* (yield* Probe).probe(clip)
    const directory = yield* fs.makeTempDirectoryScoped()
    const uuid = randomUUID()
    const names = fileNames(uuid)
    const options = { source: clip, info, directory, names, hls: true, webVideo: false, splitAudio: true }
    const made = yield* (yield* Remux).remux(options)
    yield* sql`
      insert into video (uuid, channel_id, account_id, url, name, privacy, state, description, duration)
      select ${uuid}, c.id, a.id, ${`http://localhost:9000/videos/watch/${uuid}`}, ${name}, ${privacy}::smallint, 1, 'x', 5
      from app_user u join account a on a.user_id = u.id join video_channel c on c.account_id = a.id
      where u.username = 'owner' limit 1`
    yield* sql`insert into streaming_playlist (video_id) select id from video where uuid = ${uuid}`
    const ids = new Map<boolean, number>()
    const bucket = privacy > 2 ? "streaming_playlists_private" : "streaming_playlists"
    for (const { hasAudio, hasVideo, hls, resolution } of made.renditions) {
      const file = names({ kind: "fragmented", resolution })
      const [row] = yield* sql<{ id: number }>`
        insert into video_file (streaming_playlist_id, resolution, fps, size, extname, filename, has_audio, has_video)
        select p.id, ${resolution}, 25, 1, '.mp4', ${file}, ${hasAudio}, ${hasVideo}
        from streaming_playlist p join video v on v.id = p.video_id where v.uuid = ${uuid} returning id`
      ids.set(hasVideo, row!.id)
      yield* store.put({ bucket, name: `${uuid}/${file}` }, hls!.file)
    }
    return { uuid, video: ids.get(true)!, audio: ids.get(false)! } satisfies SplitVideo
  },
  Effect.scoped,
  Effect.orDie
)

/** Running tools that have the text among their arguments. */
export const toolsWith = (text: string): number =>
  execFileSync("ps", ["-eo", "args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("ffmpeg") && line.includes(text)).length
