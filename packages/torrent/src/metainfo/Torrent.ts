import { Context, Effect, FileSystem, Layer, type PlatformError, Stream } from "effect"
import { createHash } from "node:crypto"
import { bencode } from "./BencodeWriter.ts"

export interface TorrentOptions {
  /** Absolute path of the file. */
  readonly file: string
  /** File name that clients use. */
  readonly name: string
  /** Tracker URLs, preferred ones first. */
  readonly announce: ReadonlyArray<string>
  /** URLs of the same file over HTTP (BEP 19). */
  readonly webSeeds: ReadonlyArray<string>
}

export interface TorrentFile {
  readonly bytes: Uint8Array
  /** SHA-1 of the info dictionary, 40 hex digits. */
  readonly infoHash: string
  readonly pieceLength: number
}

const kibibyte = 1024

/** A power of two from 16 KiB to 4 MiB that gives about a thousand pieces. */
export const pieceLengthFor = (size: number): number => {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, size / 1024)))
  return Math.min(4 * kibibyte * kibibyte, Math.max(16 * kibibyte, wanted))
}

/** Creates version 1 torrents of one file (BEP 3). Files are read as a stream, so memory use is about one piece. */
export class Torrent extends Context.Service<
  Torrent,
  { create(options: TorrentOptions): Effect.Effect<TorrentFile, PlatformError.PlatformError> }
>()("@kinora/torrent/metainfo/Torrent") {
  static readonly layer = Layer.effect(
    Torrent,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem

      const create = Effect.fn("Torrent.create")(function* (options: TorrentOptions) {
        const length = Number((yield* fs.stat(options.file)).size)
        const pieceLength = pieceLengthFor(length)
        const pieces: Array<Uint8Array> = []
        let hash = createHash("sha1")
        let filled = 0
        const take = (chunk: Uint8Array) => {
          let rest = chunk
          while (rest.length > 0) {
            const part = rest.subarray(0, pieceLength - filled)
            hash.update(part)
            filled += part.length
            rest = rest.subarray(part.length)
            if (filled < pieceLength) continue
            pieces.push(hash.digest())
            hash = createHash("sha1")
            filled = 0
          }
        }
        // Hashing a chunk takes about a millisecond; reading the next one yields to other work.
        yield* fs
          .stream(options.file, { chunkSize: 512 * kibibyte })
          .pipe(Stream.runForEachArray((chunks) => Effect.sync(() => chunks.forEach(take))))
        if (filled > 0) pieces.push(hash.digest())

        const info = { length, name: options.name, "piece length": pieceLength, pieces: Buffer.concat(pieces) }
        const [announce] = options.announce
        const bytes = bencode({
          announce,
          "announce-list": options.announce.length > 0 ? options.announce.map((address) => [address]) : undefined,
          "created by": "Kinora",
          info,
          "url-list": options.webSeeds.length > 0 ? options.webSeeds : undefined
        })
        const infoHash = createHash("sha1").update(bencode(info)).digest("hex")
        return { bytes, infoHash, pieceLength } satisfies TorrentFile
      })

      return Torrent.of({ create })
    })
  )
}
