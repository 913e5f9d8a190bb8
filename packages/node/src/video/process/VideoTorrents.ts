import type { Encoded } from "@kinora/media/transcode/Encoded"
import { torrentName } from "@kinora/media/transcode/FileNames"
import { Torrent } from "@kinora/torrent/metainfo/Torrent"
import { fileAddress } from "@kinora/storage/video/write/NewRenditions"
import { Context, Effect, FileSystem, Layer, type PlatformError } from "effect"
import { basename, dirname, extname, join } from "node:path"
import { ProcessingSettings } from "./ProcessingSettings.ts"

/** A torrent file, written beside the file it describes. */
export interface MadeTorrent {
  readonly path: string
  /** 40 hexadecimal digits. */
  readonly infoHash: string
}

interface TorrentVideo {
  readonly uuid: string
  readonly name: string
  readonly privacy: number
}

/**
 * The file name that clients use: the video's name without characters that file systems forbid, at most 150 characters.
 */
const savedAs = (name: string, resolution: number, file: string): string => {
  const plain = name.replaceAll(/[\p{Cc}/\\:*?"<>|]+/gu, " ").trim()
  return `${[...plain].slice(0, 150).join("")} ${resolution === 0 ? "audio" : `${resolution}p`}${extname(file)}`.trim()
}

/** Makes the torrents of a video's files: with this instance's tracker, and the file itself as web seed (BEP 19). */
export class VideoTorrents extends Context.Service<
  VideoTorrents,
  {
    /** One per media file, by the file's path. */
    readonly make: (
      video: TorrentVideo,
      encoded: Encoded
    ) => Effect.Effect<ReadonlyMap<string, MadeTorrent>, PlatformError.PlatformError>
  }
>()("@kinora/node/processing/VideoTorrents") {
  static readonly layer = Layer.effect(
    VideoTorrents,
    Effect.gen(function* () {
      const { origin } = yield* ProcessingSettings
      const torrents = yield* Torrent
      const fs = yield* FileSystem.FileSystem
      const announce = [`${origin}/tracker/announce`, `${origin.replace(/^http/, "ws")}/tracker/socket`]

      const one = Effect.fnUntraced(function* (video: TorrentVideo, resolution: number, file: string, hls: boolean) {
        const filename = basename(file)
        const made = yield* torrents.create({
          file,
          name: savedAs(video.name, resolution, filename),
          announce,
          webSeeds: [fileAddress(origin, video, { filename, hls })]
        })
        const path = join(dirname(file), torrentName(filename))
        yield* fs.writeFile(path, made.bytes)
        return [file, { path, infoHash: made.infoHash }] as const
      })

      return VideoTorrents.of({
        make: Effect.fn("VideoTorrents.make")(function* (video, { renditions }) {
          const files = renditions.flatMap(({ hls, resolution, web }) => [
            ...(hls === undefined ? [] : [one(video, resolution, hls.file, true)]),
            ...(web === undefined ? [] : [one(video, resolution, web.file, false)])
          ])
          return new Map(yield* Effect.all(files, { concurrency: 2 }))
        })
      })
    })
  ).pipe(Layer.provide(Torrent.layer))
}
