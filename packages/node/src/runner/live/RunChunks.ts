import { PayloadTooLarge, type InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { ClosedSegment } from "@kinora/media/live/Segmenting"
import { segmentName } from "@kinora/media/live/SegmentNames"
import { Clock, Effect, Scope, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import { rename, rm, statfs } from "node:fs/promises"
import type { FileSink } from "../../platform/body/MultipartBody.ts"
import { onDisk, openUploadFile } from "../../platform/body/UploadFile.ts"
import type { RunWork } from "../../live/session/LiveRuns.ts"
import { refusedField } from "../job/RunnerForm.ts"
import { type ChunkPlace, chunkPlace, playlistSeconds, playlistVersion } from "./ChunkNames.ts"
import { ChunkOrder } from "./ChunkOrder.ts"

const mebibyte = 1024 ** 2
const maxChunkBytes = 64 * mebibyte
const maxPlaylistBytes = mebibyte
/** Segments may be ahead of the time by this many seconds: what was kept since the last keyframe, and clocks. */
const maxAhead = 120
/** A segment counts as this share of its planned length at least. */
const leastShare = 0.25
/** Longer segments are not believed. */
const maxSeconds = 120

const nameField = "payload[videoChunkFilename]"
const chunkField = "payload[videoChunkFile]"
const playlistField = "payload[resolutionPlaylistFile]"
const masterField = "payload[masterPlaylistFile]"

/** Why a chunk is not taken. */
export type ChunkRefused = InvalidParameters | PayloadTooLarge | InsufficientStorage

/** A segment in the form as it arrives. */
export interface ArrivingChunk {
  readonly file: (field: string) => Effect.Effect<FileSink<ChunkRefused>, ChunkRefused>
  /** Takes the segment. One that has been taken before changes nothing: the runner did not receive the answer. */
  readonly finish: (chunkName: string, playlistName: string | undefined) => Effect.Effect<void, ChunkRefused>
}

interface Chunk {
  readonly path: string
  readonly seconds: number
}

/** Every packet of a transport stream begins with this byte (ISO/IEC 13818-1). */
const syncByte = 0x47

/** What limits a write to so many bytes. */
const bounded = (max: number, write: (chunk: Uint8Array) => Effect.Effect<void, ChunkRefused>) => {
  let size = 0
  return (chunk: Uint8Array) => {
    size += chunk.length
    return size > max ? Effect.fail(new PayloadTooLarge({ maxBytes: max })) : write(chunk)
  }
}

/** A version of the run, and how far it has come. */
class Version {
  readonly order = new ChunkOrder<Chunk>()
  count = 0
  /** The time at which its segments end, if all of them are as long as they are said to be. Milliseconds. */
  endsAt: number

  constructor(beganAt: number) {
    this.endsAt = beganAt - maxAhead * 1000
  }
}

/** The segments of one run, on their way from a runner to the recording. */
export interface RunChunks {
  /** Begins a form. What is not taken is removed when the scope closes. */
  readonly arrive: Effect.Effect<ArrivingChunk, never, Scope.Scope>
  /** Uses what still waits for earlier segments. */
  readonly flush: Effect.Effect<void, InsufficientStorage>
}

/** @param reserveDisk bytes of the disk that stay free */
export const makeRunChunks = Effect.fnUntraced(function* (
  work: RunWork,
  reserveDisk: number,
  onSegment: (segment: ClosedSegment) => void
) {
  const { directory, outputs, prefix, segmentSeconds } = work
  const beganAt = yield* Clock.currentTimeMillis
  const versions = outputs.map(() => new Version(beganAt))
  const turn = yield* Semaphore.make(1)

  const use = Effect.fnUntraced(function* (index: number, chunks: ReadonlyArray<Chunk>) {
    const { resolution } = outputs[index]!
    for (const { path, seconds } of chunks) {
      const number = versions[index]!.count++
      const named = `${directory}/${segmentName(prefix, resolution, number)}`
      yield* onDisk(() => rename(path, named))
      onSegment({ resolution, number, path: named, seconds })
    }
  })

  const take = Effect.fnUntraced(function* (
    arrived: string,
    { number, version: index }: ChunkPlace,
    listed: ReadonlyMap<number, number>
  ) {
    const version = versions[index]!
    if (version.order.has(number)) return
    const seconds = Math.min(listed.get(number) ?? segmentSeconds, maxSeconds)
    // A runner cannot make a stream longer than it is: that bounds the number of segments, too.
    const endsAt = version.endsAt + Math.max(seconds, segmentSeconds * leastShare) * 1000
    if (endsAt > (yield* Clock.currentTimeMillis))
      return yield* refusedField(nameField, "Must not be ahead of the live")
    version.endsAt = endsAt
    const path = `${arrived}.held`
    yield* onDisk(() => rename(arrived, path))
    const first = listed.size === 0 ? undefined : Math.min(...listed.keys())
    yield* use(index, version.order.add(number, { path, seconds }, first))
  })

  const arrive = Effect.gen(function* () {
    const scope = yield* Effect.scope
    const path = `${directory}/arriving-${randomUUID()}`
    const playlist: Array<Uint8Array> = []
    const seen = new Set<string>()
    let head: number | undefined

    const chunkFile = Effect.gen(function* () {
      const { bavail, bsize } = yield* Effect.promise(() => statfs(directory))
      if (bavail * bsize < reserveDisk) return yield* new InsufficientStorage()
      yield* Scope.addFinalizer(
        scope,
        Effect.promise(() => rm(path, { force: true }))
      )
      const file = yield* Scope.provide(openUploadFile(path, 0), scope)
      const write = bounded(maxChunkBytes, (chunk) => {
        head ??= chunk[0]
        return file.write(chunk)
      })
      return { write, end: file.flush }
    })

    const file = (field: string): Effect.Effect<FileSink<ChunkRefused>, ChunkRefused> => {
      if (seen.has(field)) return Effect.fail(refusedField(field, "Must come once"))
      seen.add(field)
      switch (field) {
        case chunkField:
          return chunkFile
        case playlistField:
          return Effect.succeed({
            write: bounded(maxPlaylistBytes, (chunk) => Effect.sync(() => void playlist.push(chunk.slice()))),
            end: Effect.void
          })
        case masterField:
          // The node writes its own.
          return Effect.succeed({ write: bounded(maxPlaylistBytes, () => Effect.void), end: Effect.void })
        default:
          return Effect.fail(refusedField(field, `Must be ${chunkField}, ${playlistField} or ${masterField}`))
      }
    }

    const finish: ArrivingChunk["finish"] = (chunkName, playlistName) => {
      const place = chunkPlace(chunkName)
      if (place === undefined || place.version >= versions.length) {
        return Effect.fail(refusedField(nameField, "Must be the name of a segment of a version"))
      }
      if (playlistName !== undefined && playlistVersion(playlistName) !== place.version) {
        return Effect.fail(refusedField("payload[resolutionPlaylistFilename]", "Must be the playlist of the version"))
      }
      if (head !== syncByte) return Effect.fail(refusedField(chunkField, "Must be an MPEG transport stream"))
      const listed = playlistSeconds(Buffer.concat(playlist).toString("utf8"))
      return turn.withPermits(1)(take(path, place, listed))
    }

    return { file, finish }
  })

  const flush = turn.withPermits(1)(
    Effect.forEach(versions, ({ order }, index) => Effect.suspend(() => use(index, order.rest())), { discard: true })
  )

  return { arrive, flush } satisfies RunChunks
})
