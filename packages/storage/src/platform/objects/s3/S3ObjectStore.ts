import { Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { withDatabaseErrors } from "../../database/DatabaseErrors.ts"
import { type DiskObjectStoreOptions, makeDiskStore, prepareDirectories } from "../DiskObjectStore.ts"
import { isValidKey, type ObjectKey } from "../ObjectKey.ts"
import { type ListedObject, ObjectNotFound, type ObjectPlace, ObjectStore, type S3Place } from "../ObjectStore.ts"
import { makeS3Client } from "./S3Client.ts"
import type { S3Failure } from "./S3Failure.ts"
import { keyIn, objectOf, type S3Kind, type S3Kinds } from "./S3Kinds.ts"
import { makeS3Objects } from "./S3Objects.ts"
import { makeS3Rows, type S3Row } from "./S3Rows.ts"
import type { S3Settings } from "./S3Settings.ts"

export interface S3ObjectStoreOptions extends DiskObjectStoreOptions {
  readonly settings: S3Settings
  readonly kinds: S3Kinds
  /** Whether new objects of these kinds go to object storage; those that are there are read in any case. */
  readonly storesNew: boolean
  /** Folder for copies of objects that programs read. */
  readonly temporary: string
  readonly contentType: (name: string) => string
}

const removedAtOnce = 8

/** Strong: made of the digest of the bytes, where that is known. */
const etagOf = ({ modifiedAt, sha256, size }: S3Row): string =>
  sha256 === null ? `"${size.toString(36)}-${modifiedAt.getTime().toString(36)}"` : `"${sha256.slice(0, 32)}"`

/** A failure of the service is a defect, as one of the disk is: jobs are tried again, requests are answered by 503. */
const make = Effect.fnUntraced(function* (options: S3ObjectStoreOptions) {
  const { contentType, directories, kinds, settings, storesNew, temporary } = options
  const sql = yield* SqlClient
  const client = yield* makeS3Client(settings)
  const disk = makeDiskStore(directories)
  const rows = makeS3Rows(sql)
  const s3 = makeS3Objects({ client, rows, kinds, contentType })

  const kindOf = (key: ObjectKey): S3Kind | undefined => kinds[key.bucket]

  /** The row of an object that is not on disk. */
  const rowOf = (key: ObjectKey): Effect.Effect<S3Row, ObjectNotFound> =>
    isValidKey(key)
      ? Effect.flatMap(rows.find(key), (row) =>
          row === undefined ? Effect.fail(new ObjectNotFound({ key })) : Effect.succeed(row)
        )
      : Effect.fail(new ObjectNotFound({ key }))

  const missingOr = (key: ObjectKey) => (failure: S3Failure) =>
    failure.code === "NoSuchKey" ? Effect.fail(new ObjectNotFound({ key })) : Effect.die(failure)

  /** The disk is looked at first: rows count for what is not there. */
  const onDisk = (key: ObjectKey) => Effect.option(disk.stat(key))

  const statOf = (key: ObjectKey) =>
    Effect.flatMap(onDisk(key), (found) => (Option.isSome(found) ? Effect.succeed(found.value) : rowOf(key)))

  const placeOf = Effect.fnUntraced(function* (key: ObjectKey): Effect.fn.Return<ObjectPlace, ObjectNotFound> {
    if (Option.isSome(yield* onDisk(key))) return yield* disk.place(key)
    const row = isValidKey(key) ? yield* rows.find(key) : undefined
    if (row === undefined) {
      // A move may have brought it to the disk since that was looked at.
      return Option.isSome(yield* onDisk(key)) ? yield* disk.place(key) : yield* new ObjectNotFound({ key })
    }
    const kind = kindOf(key)
    if (kind === undefined) return yield* new ObjectNotFound({ key })
    const name = keyIn(kind, key)
    const sign: S3Place["sign"] = (seconds, headers = {}) =>
      client.presign(kind.bucket, name, seconds, {
        ...(headers.contentType === undefined ? {} : { "response-content-type": headers.contentType }),
        ...(headers.contentDisposition === undefined
          ? {}
          : { "response-content-disposition": headers.contentDisposition }),
        ...(headers.cacheControl === undefined ? {} : { "response-cache-control": headers.cacheControl })
      })
    return {
      _tag: "S3",
      size: row.size,
      modifiedAt: row.modifiedAt,
      etag: etagOf(row),
      publicUrl: kind.publicAddress === undefined ? undefined : `${kind.publicAddress}/${name}`,
      sign
    }
  })

  /** A folder that goes with the scope. */
  const folder = Effect.acquireRelease(
    Effect.promise(async () => {
      await mkdir(temporary, { recursive: true, mode: 0o700 })
      return await mkdtemp(join(temporary, "object-"))
    }),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )

  /** A local file of the object; `into` gives the folder for a copy, and runs only where one is needed. */
  const bring = Effect.fnUntraced(function* <R>(key: ObjectKey, into: Effect.Effect<string, never, R>) {
    if (Option.isSome(yield* onDisk(key))) return yield* disk.localFile(key, "")
    const row = yield* rowOf(key)
    const path = join(yield* into, basename(key.name))
    yield* Effect.catchTag(s3.download(key, row, path), "S3Failure", missingOr(key))
    return path
  })

  const putS3 = Effect.fnUntraced(function* (key: ObjectKey, sourcePath: string) {
    const digests = yield* Effect.orDie(s3.upload(key, sourcePath))
    yield* Effect.orDie(withDatabaseErrors(rows.add(key, digests)))
    yield* disk.remove(key)
    const { mtime } = yield* Effect.promise(() => stat(sourcePath))
    yield* Effect.promise(() => rm(sourcePath, { force: true }))
    return { size: digests.size, modifiedAt: mtime }
  })

  const putDisk = Effect.fnUntraced(function* (key: ObjectKey, sourcePath: string) {
    if (kindOf(key) !== undefined) yield* rows.expect(key, "disk")
    const stored = yield* disk.put(key, sourcePath)
    // An earlier object of the name, which this one replaces.
    if (kindOf(key) !== undefined && (yield* rows.find(key)) !== undefined) {
      yield* Effect.andThen(rows.remove(key), rows.removeFrom(key, "s3", 0)).pipe(
        sql.withTransaction,
        withDatabaseErrors,
        Effect.orDie
      )
    }
    return stored
  })

  const remove = Effect.fn("ObjectStore.remove")(function* (key: ObjectKey, from?: "disk" | "s3") {
    if (from !== undefined) {
      // What was moved is removed where it was. It never is where it is now.
      const isInS3 = (yield* rows.find(key)) !== undefined
      if (isInS3 !== (from === "disk")) return
    }
    if (from !== "s3") yield* disk.remove(key)
    if (from === "disk" || kindOf(key) === undefined) return
    yield* Effect.orDie(s3.remove(key))
    yield* Effect.orDie(rows.remove(key))
  })

  const listS3 = (bucket: ObjectKey["bucket"], below = ""): Stream.Stream<ListedObject> => {
    const kind = kinds[bucket]
    if (kind === undefined) return Stream.empty
    return client.list(kind.bucket, `${kind.prefix}${below}`).pipe(
      Stream.orDie,
      Stream.flatMap(({ key, modifiedAt, size }) => {
        const object = objectOf(bucket, kind, key)
        return object === undefined ? Stream.empty : Stream.make({ key: object, modifiedAt, size })
      })
    )
  }

  return ObjectStore.of({
    put: (key, sourcePath, to) =>
      storesNew && to !== "disk" && kindOf(key) !== undefined && isValidKey(key)
        ? putS3(key, sourcePath)
        : putDisk(key, sourcePath),
    stat: statOf,
    openRead: (key, range) =>
      Stream.unwrap(
        Effect.gen(function* () {
          if (Option.isSome(yield* onDisk(key))) return disk.openRead(key, range)
          const row = yield* rowOf(key)
          const kind = yield* Effect.orDie(s3.kindOf(key))
          const end = Math.min(range?.end ?? row.size - 1, row.size - 1)
          return client
            .read(kind.bucket, keyIn(kind, key), { start: range?.start ?? 0, end })
            .pipe(Stream.catch((failure) => Stream.fromEffect(missingOr(key)(failure))))
        })
      ),
    remove,
    removeFolder: Effect.fn("ObjectStore.removeFolder")(function* (bucket, name) {
      yield* disk.removeFolder(bucket, name)
      if (kinds[bucket] === undefined) return
      yield* listS3(bucket, `${name}/`).pipe(
        Stream.mapEffect(({ key }) => Effect.orDie(s3.remove(key)), { concurrency: removedAtOnce }),
        Stream.runDrain
      )
      yield* rows.removeFolder(bucket, name)
    }),
    // An object stays where the other is: no byte passes through here.
    copy: Effect.fn("ObjectStore.copy")(function* (from, to) {
      if (Option.isSome(yield* onDisk(from))) return yield* disk.copy(from, to)
      const row = yield* rowOf(from)
      if (kindOf(to) === undefined) {
        return yield* Effect.scoped(Effect.flatMap(bring(from, folder), (path) => Effect.asVoid(disk.put(to, path))))
      }
      yield* Effect.catch(s3.copy(from, row, to), missingOr(from))
      yield* Effect.orDie(rows.add(to, row))
    }),
    place: placeOf,
    localFile: (key, into) => Effect.withSpan(bring(key, Effect.succeed(into)), "ObjectStore.localFile"),
    scopedFile: (key) => Effect.withSpan(bring(key, folder), "ObjectStore.scopedFile"),
    isThere: Effect.fn("ObjectStore.isThere")(function* (key) {
      if (Option.isSome(yield* onDisk(key))) return true
      const row = yield* Effect.option(rowOf(key))
      if (Option.isNone(row) || kindOf(key) === undefined) return false
      const found = yield* Effect.orDie(s3.find(key))
      return found?.size === row.value.size
    }),
    recover: Effect.fn("ObjectStore.recover")(function* (key) {
      if (!isValidKey(key) || kindOf(key) === undefined) return false
      const found = yield* Effect.orDie(s3.find(key))
      if (found === undefined) return false
      yield* Effect.orDie(rows.add(key, { size: found.size, sha256: null }))
      return true
    }),
    giveUpUploads: Effect.fn("ObjectStore.giveUpUploads")(function* (days) {
      const old = yield* rows.unfinishedFor(days)
      const givenUp = yield* Effect.forEach(
        old.filter((key) => kindOf(key) !== undefined),
        (key) =>
          Effect.as(s3.giveUp(key), true).pipe(
            Effect.catch((failure) =>
              Effect.as(
                Effect.logWarning(`Parts of ${key.bucket}/${key.name} stay in the object storage`, failure),
                false
              )
            )
          )
      )
      return givenUp.filter(Boolean).length
    }),
    // What is moved is in both places, and is listed once.
    list: (bucket) =>
      Stream.concat(
        disk.list(bucket),
        Stream.filterEffect(listS3(bucket), ({ key }) => Effect.map(onDisk(key), Option.isNone))
      ),
    freeBytes: (bucket) =>
      storesNew && kinds[bucket] !== undefined ? Effect.succeed(Number.POSITIVE_INFINITY) : disk.freeBytes(bucket)
  })
})

/**
 * Objects on disk and in object storage. Each is in one of them, or in both while it is moved: the disk is looked at first, then
 * the rows of `s3_object` (docs/decisions/object-storage.md).
 */
export const layer = (options: S3ObjectStoreOptions): Layer.Layer<ObjectStore, never, SqlClient> =>
  Layer.effect(ObjectStore, Effect.andThen(prepareDirectories(options.directories), make(options)))
