import { readTorrent } from "@kinora/torrent/metainfo/Metainfo"
import { dropMissing } from "@kinora/storage/instance/moving/MovingFinish"
import type { SourceDatabase } from "@kinora/storage/instance/moving/SourceDatabase"
import {
  eachSourceFile,
  forgetPlaced,
  notePlaced,
  placedAfter,
  placedOf,
  type PlacedFile,
  type SourceFile
} from "@kinora/storage/instance/moving/SourceFiles"
import { isValidKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Result, Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { makeProgress } from "../backup/Progress.ts"
import { bringFile, FileAbsent, type FileSourceOptions, findFile } from "./FileSource.ts"
import { besidePlaylist } from "./HlsReferences.ts"
import type { MissingFile } from "./MovingReport.ts"

/** Missing files that a report names. */
const keptMissing = 1000
const concurrency = 4

/** Files that were looked at. */
export class FileCounts {
  files = 0
  bytes = 0
  missingCount = 0
  readonly missing: Array<MissingFile> = []

  found(size: number): void {
    this.files += 1
    this.bytes += size
  }

  lacks({ kind, name }: SourceFile, reason: string): void {
    this.missingCount += 1
    if (this.missing.length < keptMissing) this.missing.push({ kind, name, reason })
  }
}

const keyOf = ({ bucket, name }: { readonly bucket: SourceFile["bucket"]; readonly name: string }) => ({ bucket, name })

const checkName = (file: SourceFile) =>
  isValidKey(keyOf(file)) ? Effect.void : Effect.fail(new FileAbsent({ reason: "its name cannot be used here" }))

/** Looks for all files that the old database names, and changes nothing. */
export const surveyFiles = Effect.fn("MoveFiles.survey")(function* (
  source: SourceDatabase,
  options: FileSourceOptions
) {
  const counts = new FileCounts()
  const look = Effect.fnUntraced(function* (file: SourceFile) {
    const found = yield* Effect.result(Effect.andThen(checkName(file), findFile(options, file)))
    if (Result.isFailure(found)) return counts.lacks(file, found.failure.reason)
    const { size } = found.success
    if (size !== null && file.size !== null && size !== file.size) {
      return counts.lacks(file, `it has ${size} bytes, and the database says ${file.size}`)
    }
    counts.found(size ?? 0)
  })
  yield* eachSourceFile(source, (files) => Effect.forEach(files, look, { concurrency: 16, discard: true }))
  return counts
})

/** A torrent that is not the one its row names would lead to other bytes. */
const checkTorrent = Effect.fnUntraced(function* (file: SourceFile, path: string) {
  if (file.infoHash === null) return
  const torrent = yield* Effect.promise(() => readFile(path)).pipe(
    Effect.flatMap(readTorrent),
    Effect.mapError(() => new FileAbsent({ reason: "it is no torrent" }))
  )
  if (torrent.info.infoHash === file.infoHash.toLowerCase()) return
  return yield* new FileAbsent({ reason: "it is another torrent than the database says" })
})

/**
 * Brings all files into their places, those first that are not there yet. What names a file that cannot be had is taken back
 * where that was accepted.
 *
 * @param work an empty folder for files that are not whole yet
 */
export const moveFiles = Effect.fn("MoveFiles.move")(function* (
  source: SourceDatabase,
  options: FileSourceOptions,
  work: string,
  progress: Effect.Success<ReturnType<typeof makeProgress>>
) {
  const objects = yield* ObjectStore
  const counts = new FileCounts()

  const isPlaced = (placed: PlacedFile | undefined) =>
    placed === undefined
      ? Effect.succeed(false)
      : objects.stat(keyOf(placed)).pipe(
          Effect.map(({ size }) => size === placed.size),
          Effect.orElseSucceed(() => false)
        )

  const place = Effect.fnUntraced(function* (file: SourceFile) {
    const draft = join(work, randomUUID())
    const digest = yield* Effect.gen(function* () {
      yield* checkName(file)
      const brought = yield* bringFile(options, file, draft)
      yield* checkTorrent(file, draft)
      yield* objects.put(keyOf(file), draft)
      return brought
    }).pipe(Effect.ensuring(Effect.promise(() => rm(draft, { force: true }))))
    yield* notePlaced({ ...keyOf(file), ...digest })
    return digest.size
  })

  const isStored = (file: SourceFile) =>
    objects.stat(keyOf(file)).pipe(
      Effect.as(true),
      Effect.orElseSucceed(() => false)
    )

  /** Files beside a playlist that only it names, such as subtitles and what these lead to: those that are there come along. */
  const placeBeside = Effect.fnUntraced(function* (file: SourceFile) {
    const open = [file]
    for (let playlist = open.pop(); playlist !== undefined; playlist = open.pop()) {
      const text = yield* Stream.mkString(Stream.decodeText(objects.openRead(keyOf(playlist)))).pipe(
        Effect.orElseSucceed(() => "")
      )
      for (const filename of besidePlaylist(text)) {
        const name = `${dirname(file.name)}/${filename}`
        const beside: SourceFile = { ...file, name, filename, size: null, url: null }
        if (yield* isStored(beside)) continue
        const size = yield* place(beside).pipe(Effect.catchTag("FileAbsent", () => Effect.succeed(undefined)))
        if (size === undefined) continue
        counts.found(size)
        if (filename.endsWith(".m3u8")) open.push(beside)
      }
    }
  })

  const move = (placed: ReadonlyMap<string, PlacedFile>) =>
    Effect.fnUntraced(function* (file: SourceFile) {
      const known = placed.get(`${file.bucket}/${file.name}`)
      if (known !== undefined && (yield* isPlaced(known))) return counts.found(known.size)
      const size = yield* place(file).pipe(
        Effect.catchTag("FileAbsent", ({ reason }) => {
          counts.lacks(file, reason)
          return options.acceptMissing
            ? Effect.as(dropMissing(file.kind, file.id, file.name), undefined)
            : Effect.succeed(undefined)
        })
      )
      if (size === undefined) return
      counts.found(size)
      yield* progress.file(size)
      if (file.kind === "hls playlist") yield* placeBeside(file)
    })

  yield* eachSourceFile(
    source,
    Effect.fnUntraced(function* (files) {
      const placed = yield* placedOf(files.map(({ name }) => name))
      yield* Effect.forEach(files, move(placed), { concurrency, discard: true })
    })
  )
  return counts
})

/** Reads every file that was brought again, and compares its SHA-256 with what was read at the source. */
export const verifyFiles = Effect.fn("MoveFiles.verify")(function* (
  progress: Effect.Success<ReturnType<typeof makeProgress>>
) {
  const objects = yield* ObjectStore
  const damaged: Array<string> = []
  let verified = 0
  const verify = Effect.fnUntraced(function* (file: PlacedFile) {
    const hash = createHash("sha256")
    const read = yield* Stream.runForEach(objects.openRead(keyOf(file)), (chunk) =>
      Effect.sync(() => void hash.update(chunk))
    ).pipe(
      Effect.as(true),
      Effect.orElseSucceed(() => false)
    )
    if (read && hash.digest("hex") === file.sha256) verified += 1
    else {
      damaged.push(`${file.bucket}/${file.name}`)
      // The next run brings it again.
      yield* forgetPlaced(file)
    }
    yield* progress.file(file.size)
  })
  for (let last = { bucket: "", name: "" }; ;) {
    const files = yield* placedAfter(last.bucket, last.name)
    yield* Effect.forEach(files, verify, { concurrency, discard: true })
    const end = files.at(-1)
    if (end === undefined) return { verified, damaged }
    last = end
  }
})
