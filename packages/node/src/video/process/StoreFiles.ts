import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { PictureFile } from "@kinora/media/images/Pictures"
import type { StoryboardFile } from "@kinora/media/images/StoryboardPlan"
import type { Encoded, EncodedRendition } from "@kinora/media/transcode/Encoded"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import {
  type NewFile,
  type NewStoryboard,
  playlistsBucket,
  type RenditionSet,
  webVideosBucket
} from "@kinora/storage/video/write/NewRenditions"
import type { NewThumbnail } from "@kinora/storage/video/write/NewVideo"
import { hlsName } from "@kinora/storage/platform/objects/ObjectIntents"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Context, Effect, Layer } from "effect"
import { basename, extname } from "node:path"
import type { MadeTorrent } from "./VideoTorrents.ts"

/** Files of an attempt, in its folder. */
export interface MadeFiles {
  readonly encoded?: Encoded | undefined
  /** For every file of `encoded`, by path. */
  readonly torrents?: ReadonlyMap<string, MadeTorrent> | undefined
  readonly storyboard?: StoryboardFile | undefined
  readonly thumbnails?: ReadonlyArray<PictureFile> | undefined
  /** ffprobe output of the files, by path. */
  readonly metadata?: ReadonlyMap<string, unknown> | undefined
}

/** The same files in the object store, as the commit needs them. */
export interface StoredFiles {
  readonly renditions: RenditionSet | undefined
  readonly storyboard: NewStoryboard | undefined
  readonly thumbnails: ReadonlyArray<NewThumbnail> | undefined
}

interface Move {
  readonly key: ObjectKey
  readonly path: string
}

const torrentOf = ({ torrents }: MadeFiles, file: string): MadeTorrent => {
  const torrent = torrents?.get(file)
  if (torrent === undefined) throw new Error(`No torrent was made of ${basename(file)}`)
  return torrent
}

const fileOf = (
  rendition: EncodedRendition,
  one: { readonly file: string; readonly size: number; readonly playlist?: string },
  made: MadeFiles
): NewFile => ({
  resolution: rendition.resolution,
  width: rendition.width,
  height: rendition.height,
  fps: rendition.fps,
  size: one.size,
  extname: extname(one.file),
  filename: basename(one.file),
  playlistFilename: one.playlist === undefined ? null : basename(one.playlist),
  hasAudio: rendition.hasAudio,
  hasVideo: rendition.hasVideo,
  torrentFilename: basename(torrentOf(made, one.file).path),
  infoHash: torrentOf(made, one.file).infoHash,
  metadata: made.metadata?.get(one.file) ?? null
})

const renditionsOf = ({ master, renditions, segments }: Encoded, made: MadeFiles): RenditionSet => ({
  hls:
    master === undefined || segments === undefined
      ? null
      : {
          master: basename(master),
          segments: basename(segments),
          files: renditions.flatMap((one) => (one.hls === undefined ? [] : [fileOf(one, one.hls, made)]))
        },
  web: renditions.flatMap((one) => (one.web === undefined ? [] : [fileOf(one, one.web, made)]))
})

const movesOf = (uuid: string, privacy: number, made: MadeFiles): ReadonlyArray<Move> => {
  const playlists = playlistsBucket(privacy)
  const nested = (path: string): Move => ({ key: { bucket: playlists, name: hlsName(uuid, basename(path)) }, path })
  const flat = (bucket: ObjectKey["bucket"], path: string): Move => ({ key: { bucket, name: basename(path) }, path })
  const { encoded } = made
  const own =
    encoded === undefined
      ? []
      : [
          ...encoded.renditions.flatMap((rendition) => [
            ...(rendition.hls === undefined ? [] : [nested(rendition.hls.file), nested(rendition.hls.playlist)]),
            ...(rendition.web === undefined ? [] : [flat(webVideosBucket(privacy), rendition.web.file)])
          ]),
          ...[...(made.torrents?.values() ?? [])].map(({ path }) => flat("torrents", path)),
          ...(encoded.segments === undefined ? [] : [nested(encoded.segments)]),
          // Last, so that every file it refers to exists already.
          ...(encoded.master === undefined ? [] : [nested(encoded.master)])
        ]
  const sheet = made.storyboard === undefined ? [] : [flat("storyboards", made.storyboard.path)]
  return [...own, ...sheet, ...(made.thumbnails ?? []).map((picture) => flat("thumbnails", picture.path))]
}

const storyboardOf = ({ path, ...sizes }: StoryboardFile): NewStoryboard => ({ ...sizes, filename: basename(path) })

const previewWidth = 850

const thumbnailOf = (picture: PictureFile): NewThumbnail => ({
  type: picture.width < previewWidth ? 1 : 2,
  filename: basename(picture.path),
  width: picture.width,
  height: picture.height,
  automaticallyGenerated: true
})

/**
 * Moves the files of an attempt into the object store. Every object is put on the removal queue before it exists, and
 * taken off it by the commit: a crash in between leaves nothing permanently.
 */
export class StoreFiles extends Context.Service<
  StoreFiles,
  {
    readonly store: (
      video: { readonly uuid: string; readonly privacy: number },
      made: MadeFiles
    ) => Effect.Effect<StoredFiles, InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/node/processing/StoreFiles") {
  static readonly layer = Layer.effect(
    StoreFiles,
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const publication = yield* VideoPublication
      return StoreFiles.of({
        store: Effect.fn("StoreFiles.store")(function* (video, made) {
          const moves = movesOf(video.uuid, video.privacy, made)
          yield* publication.intend(moves.map(({ key }) => key))
          for (const { key, path } of moves) yield* objects.put(key, path)
          const { encoded, storyboard } = made
          return {
            renditions: encoded === undefined ? undefined : renditionsOf(encoded, made),
            storyboard: storyboard === undefined ? undefined : storyboardOf(storyboard),
            thumbnails: made.thumbnails?.map(thumbnailOf)
          }
        })
      })
    })
  )
}
