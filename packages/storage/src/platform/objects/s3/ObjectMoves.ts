import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { type DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { withDatabaseErrors } from "../../database/DatabaseErrors.ts"
import { makeDiskStore } from "../DiskObjectStore.ts"
import type { ObjectKey } from "../ObjectKey.ts"
import { digestFile } from "./FileDigests.ts"
import { makeS3Client } from "./S3Client.ts"
import type { S3Failure } from "./S3Failure.ts"
import { makeS3Objects } from "./S3Objects.ts"
import type { S3ObjectStoreOptions } from "./S3ObjectStore.ts"
import { makeS3Rows } from "./S3Rows.ts"

/** `there`: it was there already. `gone`: there is no such object any more. */
export type Moved = { readonly outcome: "moved" | "there" | "gone"; readonly bytes: number }

/** Tools that were given the path of a file have opened it by then. */
const diskGrace = Duration.seconds(30)

/** Browsers know for five minutes where a file is, and players go on with what they have begun. */
const s3Grace = Duration.minutes(30)

type Failure = S3Failure | InsufficientStorage | DatabaseUnavailable

/**
 * Moves objects between the disk and object storage: copies, compares, switches in one transaction, and has the removal queue
 * take away the other copy. Wherever this ends, readers find one whole object, and the next call goes on.
 */
export class ObjectMoves extends Context.Service<
  ObjectMoves,
  {
    readonly toS3: (key: ObjectKey) => Effect.Effect<Moved, Failure>
    readonly toDisk: (key: ObjectKey) => Effect.Effect<Moved, Failure>
    /** Bytes of an object that is on disk; none if it is not. */
    readonly sizeOnDisk: (key: ObjectKey) => Effect.Effect<Option.Option<number>>
  }
>()("@kinora/storage/objects/s3/ObjectMoves") {
  static readonly layer = (options: S3ObjectStoreOptions) => Layer.effect(ObjectMoves, make(options))
}

const make = Effect.fnUntraced(function* (options: S3ObjectStoreOptions) {
  const sql = yield* SqlClient
  const client = yield* makeS3Client(options.settings)
  const disk = makeDiskStore(options.directories)
  const rows = makeS3Rows(sql)
  const s3 = makeS3Objects({ client, rows, kinds: options.kinds, contentType: options.contentType })

  const sizeOnDisk = (key: ObjectKey) =>
    Effect.map(
      Effect.option(disk.stat(key)),
      Option.map(({ size }) => size)
    )

  const digestOnDisk = (key: ObjectKey) =>
    Effect.flatMap(Effect.orDie(disk.localFile(key, "")), (path) =>
      Effect.promise((signal) => digestFile(path, Number.MAX_SAFE_INTEGER, signal))
    )

  /** Answers of the API say where a rendition is. */
  const note = ({ bucket, name }: ObjectKey, storage: 0 | 1) => {
    if (!bucket.startsWith("web_videos") && !bucket.startsWith("streaming_playlists")) return Effect.void
    return sql`update video_file set storage = ${storage} where filename = ${name.slice(name.indexOf("/") + 1)}`
  }

  const switched = <A, E>(work: Effect.Effect<A, E>) => sql.withTransaction(work).pipe(withDatabaseErrors)

  const toS3 = Effect.fn("ObjectMoves.toS3")(function* (key: ObjectKey): Effect.fn.Return<Moved, Failure> {
    const size = yield* sizeOnDisk(key)
    const row = yield* rows.find(key)
    if (Option.isNone(size)) return { outcome: row === undefined ? "gone" : "there", bytes: row?.size ?? 0 }
    const path = yield* Effect.orDie(disk.localFile(key, ""))
    const digests = yield* s3.upload(key, path, "reuse").pipe(
      // A file that was removed while it was read is no failure.
      Effect.catch((failure) =>
        Effect.flatMap(sizeOnDisk(key), (now) =>
          Option.isNone(now) ? Effect.succeed(undefined) : Effect.fail(failure)
        )
      )
    )
    if (digests === undefined) {
      yield* s3.remove(key)
      return { outcome: "gone", bytes: 0 }
    }
    const outcome = yield* switched(
      Effect.gen(function* () {
        // It was removed while it was copied.
        if (Option.isNone(yield* sizeOnDisk(key))) return "gone"
        yield* rows.add(key, digests)
        yield* note(key, 1)
        yield* rows.removeFrom(key, "disk", Duration.toSeconds(diskGrace))
        return "moved"
      })
    )
    if (outcome === "gone") yield* s3.remove(key)
    return { outcome, bytes: digests.size }
  })

  /** Brings the bytes to the disk, unless an earlier call has. */
  const bring = Effect.fnUntraced(function* (
    key: ObjectKey,
    row: { readonly size: number; readonly sha256: string | null; readonly modifiedAt: Date }
  ) {
    const there = yield* sizeOnDisk(key)
    if (Option.isSome(there)) {
      const digests = yield* digestOnDisk(key)
      if (digests.size === row.size && (row.sha256 === null || digests.sha256 === row.sha256)) return
    }
    const folder = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        await mkdir(options.temporary, { recursive: true, mode: 0o700 })
        return await mkdtemp(join(options.temporary, "moved-"))
      }),
      (one) => Effect.promise(() => rm(one, { recursive: true, force: true }))
    )
    const draft = join(folder, basename(key.name))
    yield* s3.download(key, row, draft)
    yield* disk.put(key, draft)
  }, Effect.scoped)

  const toDisk = Effect.fn("ObjectMoves.toDisk")(function* (key: ObjectKey): Effect.fn.Return<Moved, Failure> {
    const row = yield* rows.find(key)
    if (row === undefined) {
      const size = yield* sizeOnDisk(key)
      return { outcome: Option.isSome(size) ? "there" : "gone", bytes: Option.getOrElse(size, () => 0) }
    }
    yield* rows.expect(key, "disk")
    yield* bring(key, row)
    const outcome = yield* switched(
      Effect.gen(function* () {
        if ((yield* rows.remove(key)).length === 0) return "gone"
        yield* note(key, 0)
        yield* rows.removeFrom(key, "s3", Duration.toSeconds(s3Grace))
        return "moved"
      })
    )
    if (outcome === "gone") yield* disk.remove(key)
    return { outcome, bytes: row.size }
  })

  return ObjectMoves.of({ toS3, toDisk, sizeOnDisk })
})
