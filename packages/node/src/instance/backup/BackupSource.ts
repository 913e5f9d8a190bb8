import { Effect, type Scope, Stream } from "effect"
import { createReadStream, createWriteStream } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { workFolder } from "./WorkFolder.ts"
import { type BackupFile, BackupProblem, databaseName, listName, type Manifest, sharedFolder } from "./BackupFormat.ts"
import { digestOf, digested } from "./HashedCopy.ts"
import { problemAt } from "./BackupPlace.ts"
import { damaged, filesOf, openBackup } from "./OpenBackup.ts"
import { type Repository, type RepositoryBackup, sharedName } from "./Repository.ts"

/** A whole backup, wherever it is kept. */
export interface BackupSource {
  /** For messages. */
  readonly address: string
  readonly manifest: Manifest
  /** Local files of the list and of the dump, with the bytes they had when they were backed up. */
  readonly list: Effect.Effect<string, BackupProblem, Scope.Scope>
  readonly database: Effect.Effect<string, BackupProblem, Scope.Scope>
  /** The bytes of a file in clear; they are not compared with its digest. */
  readonly read: (file: BackupFile) => Stream.Stream<Uint8Array, BackupProblem>
  /** Fails where a file of the list is missing or has another size. No file is read. */
  readonly checkSizes: (list: string) => Effect.Effect<void, BackupProblem>
}

const otherSize = (path: string, found: number, size: number) => damaged(path, `has ${found} bytes instead of ${size}`)

/** Fails where these are other bytes than when the file was backed up. */
export const checkDigest = Effect.fnUntraced(function* (
  file: BackupFile,
  bytes: Stream.Stream<Uint8Array, BackupProblem>
) {
  const found = yield* Effect.tryPromise({
    try: (signal) => digested(Readable.from(Stream.toAsyncIterable(bytes)), signal),
    catch: (cause) => (cause instanceof BackupProblem ? cause : damaged(file.path, `cannot be read (${String(cause)})`))
  })
  if (found.size !== file.size) return yield* otherSize(file.path, found.size, file.size)
  if (found.sha256 !== file.sha256) return yield* damaged(file.path, "has other bytes than when it was backed up")
})

/** A folder with the files under their own names. */
export const folderSource = Effect.fnUntraced(function* (folder: string) {
  const manifest = yield* openBackup(folder)
  const read: BackupSource["read"] = ({ path }) =>
    Stream.suspend(() =>
      Stream.fromAsyncIterable(createReadStream(join(folder, path), { highWaterMark: 256 * 1024 }), (cause) =>
        damaged(path, `cannot be read (${String(cause)})`)
      )
    )
  const hasSize = Effect.fnUntraced(function* ({ path, size }: BackupFile) {
    const found = yield* Effect.tryPromise({
      try: () => stat(join(folder, path)),
      catch: () => damaged(path, "is missing")
    })
    if (found.size !== size) return yield* otherSize(path, found.size, size)
  })
  const checked = (file: BackupFile) =>
    Effect.andThen(hasSize(file), checkDigest(file, read(file))).pipe(Effect.as(join(folder, file.path)))
  return {
    address: folder,
    manifest,
    list: checked(manifest.list),
    database: checked(manifest.database),
    read,
    checkSizes: (list) => Stream.runDrain(Stream.mapEffect(filesOf(list), hasSize, { concurrency: 16 }))
  } satisfies BackupSource
})

/** A backup of format 2. What is needed as a local file is brought to `storage.tmp`. */
export const repositorySource = Effect.fnUntraced(function* (
  repository: Repository,
  { manifest, name }: RepositoryBackup
) {
  const { cipher, place } = repository
  const work = yield* workFolder

  const brought = (file: BackupFile) =>
    Effect.gen(function* () {
      const path = join(work, file.path)
      yield* Effect.tryPromise({
        try: (signal) =>
          pipeline(
            Readable.from(Stream.toAsyncIterable(repository.read(`${name}/${file.path}`))),
            createWriteStream(path, { flags: "wx", mode: 0o600 }),
            { signal }
          ),
        catch: problemAt(path)
      })
      const found = yield* Effect.promise((signal) => digestOf(path, signal))
      if (found.size === file.size && found.sha256 === file.sha256) return path
      return yield* damaged(`${name}/${file.path}`, "has other bytes than when it was backed up")
    })

  const checkSizes: BackupSource["checkSizes"] = Effect.fnUntraced(function* (list) {
    const sizes = new Map<string, number>()
    yield* Stream.runForEach(place.list(sharedFolder), (kept) => Effect.sync(() => sizes.set(kept.name, kept.size)))
    yield* Stream.runForEach(
      filesOf(list),
      Effect.fnUntraced(function* ({ path, sha256, size }) {
        const found = sizes.get(`${sharedName(cipher, sha256)}${cipher.suffix}`)
        if (found === undefined) return yield* damaged(path, "is missing")
        if (found !== cipher.storedSize(size)) return yield* otherSize(path, found, cipher.storedSize(size))
      })
    )
  })

  return {
    address: `${place.address}/${name}`,
    manifest,
    list: yield* Effect.cached(brought({ ...manifest.list, path: listName })),
    database: yield* Effect.cached(brought({ ...manifest.database, path: databaseName })),
    read: ({ path, sha256 }) =>
      repository
        .read(sharedName(cipher, sha256))
        .pipe(Stream.mapError((problem) => new BackupProblem({ message: `${path}: ${problem.message}` }))),
    checkSizes
  } satisfies BackupSource
})
