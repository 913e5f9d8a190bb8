import { Clock, Effect } from "effect"
import type { Metainfo } from "../metainfo/Metainfo.ts"
import type { NetworkError, TorrentNetwork } from "../network/TorrentNetwork.ts"
import type { Job, Pieces } from "../peer/Pieces.ts"

/** Bytes per request, unless a piece is longer. */
const requestBytes = 4 * 1024 * 1024
const wholeMillis = 120_000
const maxFailures = 4
/** Milliseconds between two checks for a piece to download. */
const idleMillis = 500

/** Servers send any content type for parts of files, or none. */
const types = ["", "video/*", "audio/*", "application/*", "binary/*", "text/plain"]

/** The URL of a torrent's file on a web seed (BEP 19). */
const webSeedUrl = (info: Metainfo, seed: string, path: ReadonlyArray<string>): string => {
  const escaped = (names: ReadonlyArray<string>) => names.map(encodeURIComponent).join("/")
  if (info.folder) return `${seed.replace(/\/$/, "")}/${escaped([info.name, ...path])}`
  return seed.endsWith("/") ? `${seed}${escaped([info.name])}` : seed
}

interface Part {
  readonly path: ReadonlyArray<string>
  readonly first: number
  readonly last: number
  /** Target position of the bytes. */
  readonly at: number
}

/** Which parts of which files a byte range of a torrent covers. Padding is zeros and is not available anywhere. */
const partsOf = (info: Metainfo, start: number, length: number): ReadonlyArray<Part> =>
  info.files.flatMap((file) => {
    const from = Math.max(start, file.offset)
    const to = Math.min(start + length, file.offset + file.size)
    if (file.padding || from >= to) return []
    return [{ path: file.path, first: from - file.offset, last: to - file.offset - 1, at: from - start }]
  })

const isTransient = (error: NetworkError): boolean => error._tag === "NetworkFailed" && error.transient

/** Downloads pieces from a web seed until it fails for good. */
export const fetchFromWebSeed = Effect.fnUntraced(function* (
  network: TorrentNetwork["Service"],
  seed: string,
  info: Metainfo,
  pieces: Pieces
) {
  const fetchRow = Effect.fnUntraced(function* (row: ReadonlyArray<Job>, first: Job) {
    const start = first.piece * info.pieceLength
    const bytes = new Uint8Array(row.reduce((sum, job) => sum + job.bytes.length, 0))
    for (const part of partsOf(info, start, bytes.length)) {
      const value = yield* network.bytes(webSeedUrl(info, seed, part.path), {
        types,
        maxBytes: part.last - part.first + 1,
        part: { first: part.first, last: part.last },
        wholeMillis
      })
      bytes.set(value, part.at)
    }
    return row.every((job) => {
      const at = job.piece * info.pieceLength - start
      job.bytes.set(bytes.subarray(at, at + job.bytes.length))
      job.missing.clear()
      return pieces.complete(job) !== "wrong"
    })
  })

  for (let failures = 0; failures < maxFailures;) {
    const row = pieces.takeRow(requestBytes, yield* Clock.currentTimeMillis)
    const [first] = row
    if (first === undefined) {
      yield* Effect.sleep(idleMillis)
      continue
    }
    const right = yield* fetchRow(row, first).pipe(
      Effect.catchIf(isTransient, () => Effect.succeed(undefined)),
      Effect.ensuring(Effect.sync(() => row.forEach(pieces.release)))
    )
    // It has a different file.
    if (right === false) return
    failures = right === undefined ? failures + 1 : 0
    if (right === undefined) yield* Effect.sleep(1_000 * 2 ** failures)
  }
})
