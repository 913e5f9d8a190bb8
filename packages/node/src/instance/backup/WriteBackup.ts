import { takeSnapshot } from "@kinora/storage/instance/backup/DatabaseSnapshot"
import { buckets, isPrivateBucket, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Console, Effect, Redacted, Stream } from "effect"
import { type FileHandle, open, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { exists } from "../../platform/folders/Exists.ts"
import { keyFile } from "../../platform/secrets/SecretKeys.ts"
import {
  BackupProblem,
  databaseName,
  encodeFile,
  isStagedName,
  keyName,
  listName,
  type Manifest,
  objectPath,
  stagedPath
} from "./BackupFormat.ts"
import { io } from "./BackupPlace.ts"
import type { BackupWriter, FileKind } from "./BackupWriter.ts"
import { type Digest, digestOf } from "./HashedCopy.ts"
import { inUnits, makeProgress } from "./Progress.ts"

/** Name of the list of what rows name, which is there only while a backup is written. */
const namesName = "named.txt"
const atOnce = 4
const privateMode = 0o600
const publicMode = 0o644

export interface BackupOptions {
  /** Whether the secret key is left out. */
  readonly withoutKey: boolean
  /** Whether files that are in object storage are left out. */
  readonly withoutObjects: boolean
  /** How many backups of the instance are kept, this one included; undefined: all. */
  readonly keep: number | undefined
}

/** The files of a backup so far, and its list. */
const makeEntries = Effect.fnUntraced(function* (writer: BackupWriter, list: FileHandle) {
  const progress = yield* makeProgress("Backing up files", undefined)
  const paths = new Set<string>()
  let bytes = 0
  const enter = Effect.fnUntraced(function* (path: string, digest: Digest) {
    yield* io(path, () => list.write(`${encodeFile({ path, ...digest })}\n`))
    paths.add(path)
    bytes += digest.size
    yield* progress.file(digest.size)
  })
  return {
    add: (path: string, from: string, kind: FileKind) =>
      Effect.flatMap(writer.add(path, from, kind), (digest) => enter(path, digest)),
    /** Whether an earlier backup had it. */
    reuse: (path: string) =>
      Effect.flatMap(writer.reuse(path), (digest) =>
        digest === undefined ? Effect.succeed(false) : Effect.as(enter(path, digest), true)
      ),
    has: (path: string) => paths.has(path),
    counts: () => ({ files: paths.size, bytes })
  }
})
type Entries = Effect.Success<ReturnType<typeof makeEntries>>

/** Keeps every file of the instance; those in object storage that were left out. */
const fill = Effect.fnUntraced(function* (entries: Entries, { withoutKey, withoutObjects }: BackupOptions) {
  const config = yield* KinoraConfig
  const objects = yield* ObjectStore
  const left = new Set<string>()
  let leftBytes = 0

  const addObject = (key: ObjectKey, mode: number) =>
    objects.scopedFile(key).pipe(
      Effect.flatMap((from) => entries.add(objectPath(key), from, { mode, grows: false })),
      // It was removed since it was listed.
      Effect.catchTag("ObjectNotFound", () => Effect.void),
      Effect.catchTag("InsufficientStorage", () =>
        Effect.fail(new BackupProblem({ message: `The disk is too full for a copy of ${objectPath(key)}` }))
      ),
      Effect.scoped
    )
  const isLeftOut = Effect.fnUntraced(function* (key: ObjectKey) {
    if (!withoutObjects) return false
    const place = yield* Effect.option(objects.place(key))
    if (place._tag === "None" || place.value._tag === "Disk") return false
    left.add(objectPath(key))
    leftBytes += place.value.size
    return true
  })

  // Before the objects: an upload that ends meanwhile is moved there, and is found in one place or the other.
  const staging = config.storage.tmp_persistent
  for (const entry of yield* io(staging, () => readdir(staging, { withFileTypes: true }).catch(() => []))) {
    if (!entry.isFile() || !isStagedName(entry.name)) continue
    const from = join(staging, entry.name)
    yield* entries.add(stagedPath(entry.name), from, { mode: privateMode, grows: true }).pipe(
      Effect.catch((problem) =>
        Effect.flatMap(
          Effect.promise(() => exists(from)),
          (isThere) => (isThere ? Effect.fail(problem) : Effect.void)
        )
      )
    )
  }
  for (const bucket of buckets) {
    const mode = isPrivateBucket(bucket) ? privateMode : publicMode
    yield* objects.list(bucket).pipe(
      Stream.mapEffect(
        Effect.fnUntraced(function* ({ key }) {
          if ((yield* isLeftOut(key)) || (yield* entries.reuse(objectPath(key)))) return
          yield* addObject(key, mode)
        }),
        { concurrency: atOnce }
      ),
      Stream.runDrain
    )
  }
  const key = yield* keyFile
  const hasKey = yield* io(key, () => exists(key))
  if (hasKey && !withoutKey) yield* entries.add(keyName, key, { mode: privateMode, grows: true })
  const isConfigured = Redacted.value(config.secrets.peertube) !== ""
  const secretKey: Manifest["secretKey"] =
    hasKey && !withoutKey ? "included" : hasKey || !isConfigured ? "left out" : "configuration"
  return { secretKey, left, leftBytes }
})

/** How many files that rows name are neither in the backup nor left out; says the first of them. */
const missingFrom = Effect.fnUntraced(function* (names: string, isKnown: (path: string) => boolean) {
  let missing = 0
  const said: Array<string> = []
  yield* io(names, async () => {
    const handle = await open(names)
    // An upload whose file is not an object yet is in the folder of unfinished ones, under another name.
    for await (const name of handle.readLines()) {
      if (isKnown(`files/${name}`)) continue
      missing++
      if (said.length < 10) said.push(name)
    }
    await rm(names)
  })
  if (missing > 0) {
    yield* Console.error(
      `warning: ${missing} files that the database names were missing from the instance already, among them\n  ${said.join("\n  ")}\n` +
        "`kinora storage check` lists them all."
    )
  }
  return missing
})

/**
 * Backs the instance up, whether or not nodes run over it: the database in one snapshot, and every file that the snapshot
 * names. The writer is made after the hold on files was taken, which lasts until older backups were removed: no two backups
 * of an instance are written at a time.
 */
export const writeBackup = Effect.fn("writeBackup")(function* <E, R>(
  makeWriter: Effect.Effect<BackupWriter, E, R>,
  options: BackupOptions
) {
  const snapshot = yield* takeSnapshot
  const writer = yield* makeWriter
  yield* Console.error(
    writer.earlier === undefined
      ? "There is no earlier backup to take files from: every file is copied."
      : `Files that ${writer.earlier} has are taken from there.`
  )
  yield* Console.error("Dumping the database")
  const dump = join(writer.work, databaseName)
  const names = join(writer.work, namesName)
  const { head, rows } = yield* snapshot.write(dump, names)

  const list = join(writer.work, listName)
  const { counts, left, leftBytes, missing, secretKey } = yield* Effect.scoped(
    Effect.gen(function* () {
      const handle = yield* Effect.acquireRelease(
        io(list, () => open(list, "wx", privateMode)),
        (one) => Effect.promise(() => one.close())
      )
      const entries = yield* makeEntries(writer, handle)
      const filled = yield* fill(entries, options)
      yield* io(list, () => handle.sync())
      const found = yield* missingFrom(names, (path) => entries.has(path) || filled.left.has(path))
      return { ...filled, counts: entries.counts(), missing: found }
    })
  )
  yield* snapshot.stillHeld
  const manifest: Manifest = {
    format: 1,
    head,
    database: { path: databaseName, ...(yield* io(dump, (signal) => digestOf(dump, signal))) },
    list: { path: listName, ...(yield* io(list, (signal) => digestOf(list, signal))) },
    ...counts,
    secretKey,
    missing,
    rows,
    ...(left.size === 0 ? {} : { leftOut: { files: left.size, bytes: leftBytes } })
  }
  yield* writer.finish(manifest, { database: dump, list })
  yield* Console.error(
    `${manifest.files} files, ${inUnits(manifest.bytes)}; database ${inUnits(manifest.database.size)}`
  )
  const removed = options.keep === undefined ? [] : yield* writer.keep(options.keep)
  return { address: writer.address, manifest, removed }
}, Effect.scoped)
