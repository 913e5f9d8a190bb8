import { Effect, FileSystem, Path, Stream } from "effect"
import { createHash } from "node:crypto"
import { segmentSeconds } from "../ladder/Ladder.ts"
import { type Fragment, indexFile, type Mp4Index, segmentsOf } from "./Mp4Index.ts"
import { masterPlaylist, mediaPlaylist, rates, type Variant } from "./Playlists.ts"

/** A fragmented MP4 to list. Paths are absolute and in one folder. `resolution` 0 is audio only. */
export interface HlsSource {
  readonly resolution: number
  readonly fps: number
  readonly file: string
  readonly playlist: string
}

/** Measurements of the files, by resolution. Seconds and bytes. */
export interface HlsResult {
  readonly duration: number
  readonly files: ReadonlyArray<HlsSource & { readonly index: Mp4Index }>
}

/** SHA-256 of each segment, keyed as PeerTube's clients look them up: `"<first byte>-<last byte>"`. */
const hashSegments = Effect.fnUntraced(function* (path: string, segments: ReadonlyArray<Fragment>) {
  const fs = yield* FileSystem.FileSystem
  const hashes: Record<string, string> = {}
  for (const { length, offset } of segments) {
    const hash = createHash("sha256")
    yield* fs
      .stream(path, { offset: BigInt(offset), bytesToRead: BigInt(length), chunkSize: 1024 ** 2 })
      .pipe(Stream.runForEachArray((chunks) => Effect.sync(() => chunks.forEach((chunk) => hash.update(chunk)))))
    hashes[`${offset}-${offset + length - 1}`] = hash.digest("hex")
  }
  return hashes
})

/**
 * Writes the media playlists, the master playlist and the segment hashes for finished fragmented files. With `splitAudio` the file
 * of resolution 0 becomes the shared audio of all others.
 */
export const writeHls = Effect.fn("writeHls")(function* (options: {
  readonly sources: ReadonlyArray<HlsSource>
  readonly master: string
  readonly segments: string
  readonly splitAudio: boolean
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const listed = yield* Effect.forEach(options.sources, (source) =>
    Effect.gen(function* () {
      const index = yield* indexFile(source.file)
      const segments = segmentsOf(index.fragments, segmentSeconds)
      const name = path.basename(source.file)
      yield* fs.writeFileString(source.playlist, mediaPlaylist(name, index.initLength, segments))
      return {
        ...source,
        index,
        segments,
        name,
        hashes: yield* hashSegments(source.file, segments),
        rate: rates(segments)
      }
    })
  )

  const audioTrack = listed.find((source) => source.resolution === 0)
  const pictures = listed.filter((source) => source.resolution !== 0)
  const shared = options.splitAudio && pictures.length > 0 ? audioTrack : undefined
  const variants = listed
    .filter((source) => source !== shared)
    .map((source): Variant => {
      const video = source.index.tracks.find((track) => track.kind === "video")
      const codecs = [...source.index.tracks, ...(shared?.index.tracks ?? [])].map((track) => track.codec)
      return {
        playlist: path.basename(source.playlist),
        bandwidth: source.rate.peak + (shared?.rate.peak ?? 0),
        averageBandwidth: source.rate.average + (shared?.rate.average ?? 0),
        codecs: [...new Set(codecs)],
        video: video === undefined ? undefined : { width: video.width, height: video.height, fps: source.fps }
      }
    })
  const audio = shared === undefined ? undefined : path.basename(shared.playlist)
  yield* fs.writeFileString(options.master, masterPlaylist(variants, audio))
  const hashes = Object.fromEntries(listed.map((source) => [source.name, source.hashes]))
  yield* fs.writeFileString(options.segments, JSON.stringify(hashes))

  const seconds = listed.map(({ segments }) => segments.reduce((sum, segment) => sum + segment.seconds, 0))
  const files = listed.map(({ file, fps, index, playlist, resolution }) => ({ file, fps, index, playlist, resolution }))
  return { duration: Math.max(...seconds), files } satisfies HlsResult
})
