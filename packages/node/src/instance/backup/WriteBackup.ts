import { takeSnapshot } from "@kinora/storage/instance/backup/DatabaseSnapshot"
import { buckets, isPrivateBucket, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Console, Effect, Option, Redacted, Stream } from "effect"
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { exists } from "../../platform/folders/Exists.ts"
import { keyFile } from "../../platform/secrets/SecretKeys.ts"
import {
  type BackupFile,
  BackupProblem,
  databaseName,
  encodeFile,
  encodeManifest,
  isStagedName,
  keyName,
  listName,
  type Manifest,
  manifestName,
  objectPath,
  stagedPath
} from "./BackupFormat.ts"
import { earlierFiles, type EarlierFiles } from "./EarlierBackups.ts"
import { copyFile, type Digest, digestOf, linkOrCopy } from "./HashedCopy.ts"
import { inUnits, makeProgress } from "./Progress.ts"

/** Name of the list of what rows name, which is there only while a backup is written. */
const namesName = "named.txt"
const atOnce = 4
const privateMode = 0o600
const publicMode = 0o644

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException | undefined)?.code

/** Anything the file system refuses ends the backup. */
const io = <A>(path: string, work: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      new BackupProblem({
        message:
          codeOf(cause) === "ENOSPC"
            ? `The disk of ${path} is full. Make room, or name a folder on another disk.`
            : `${path}: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

export interface BackupOptions {
  /** The folder the backup is to be: there must be none of the name. */
  readonly target: string
  /** Whether the secret key is left out. */
  readonly withoutKey: boolean
  /** Whether files that the newest backup beside it has are named again instead of copied. */
  readonly incremental: boolean
}

/** Writes a backup into `folder`, which is new, and answers its manifest. The hold on files ends with the scope. */
const fill = Effect.fnUntraced(function* (folder: string, withoutKey: boolean, earlier: EarlierFiles | undefined) {
  const config = yield* KinoraConfig
  const objects = yield* ObjectStore
  const list = yield* Effect.acquireRelease(
    io(folder, () => open(join(folder, listName), "wx", privateMode)),
    (handle) => Effect.promise(() => handle.close())
  )
  const progress = yield* makeProgress("Backing up files", undefined)
  const counted = { files: 0, bytes: 0 }
  /** Adds what the work makes of a file; whether it made it. */
  const add = Effect.fnUntraced(function* (
    path: string,
    work: (to: string, signal: AbortSignal) => Promise<Digest | undefined>
  ) {
    const to = join(folder, path)
    const digest = yield* io(to, async (signal) => {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      return await work(to, signal)
    })
    if (digest === undefined) return false
    const entry: BackupFile = { path, ...digest }
    yield* io(to, () => list.write(`${encodeFile(entry)}\n`))
    counted.files++
    counted.bytes += digest.size
    yield* progress.file(digest.size)
    return true
  })
  const addEarlier = (path: string) =>
    earlier === undefined ? Effect.succeed(false) : add(path, (to) => earlier.name(path, to))
  const addObject = (key: ObjectKey, mode: number) =>
    objects.scopedFile(key).pipe(
      Effect.flatMap((from) => add(objectPath(key), (to, signal) => linkOrCopy(from, to, mode, signal))),
      // It was removed since it was listed.
      Effect.catchTag("ObjectNotFound", () => Effect.succeed(false)),
      Effect.catchTag("InsufficientStorage", () =>
        Effect.fail(new BackupProblem({ message: `The disk is too full for a copy of ${objectPath(key)}` }))
      ),
      Effect.scoped
    )

  yield* Console.error("Dumping the database")
  const dump = join(folder, databaseName)
  const snapshot = yield* takeSnapshot(dump, join(folder, namesName))

  // Before the objects: an upload that ends meanwhile is moved there, and is found in one place or the other.
  const staging = config.storage.tmp_persistent
  for (const entry of yield* io(staging, () => readdir(staging, { withFileTypes: true }).catch(() => []))) {
    if (!entry.isFile() || !isStagedName(entry.name)) continue
    const from = join(staging, entry.name)
    // Such a file still grows: it is copied, never linked.
    yield* add(stagedPath(entry.name), (to, signal) => copyFile(from, to, privateMode, signal)).pipe(
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
        ({ key }) =>
          Effect.flatMap(addEarlier(objectPath(key)), (isAdded) => (isAdded ? Effect.void : addObject(key, mode))),
        { concurrency: atOnce }
      ),
      Stream.runDrain
    )
  }
  const key = yield* keyFile
  const hasKey = yield* io(key, () => exists(key))
  if (hasKey && !withoutKey) yield* add(keyName, (to, signal) => copyFile(key, to, privateMode, signal))
  yield* snapshot.stillHeld

  return { snapshot, dump, counted, hasKey, configured: Redacted.value(config.secrets.peertube) !== "" }
})

/** How many files that rows name are not in the backup; says the first of them. */
const missingFrom = Effect.fnUntraced(function* (folder: string) {
  const names = join(folder, namesName)
  let missing = 0
  const said: Array<string> = []
  yield* io(names, async () => {
    const handle = await open(names)
    // An upload whose file is not an object yet is in the folder of unfinished ones, under another name.
    for await (const name of handle.readLines()) {
      if (await exists(join(folder, "files", name))) continue
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
 * Backs the instance up, whether or not nodes run over it: the database in one snapshot, and every file that the
 * snapshot names. Until it is whole the folder has the suffix `.partial`.
 */
export const writeBackup = Effect.fn("writeBackup")(function* ({ incremental, target, withoutKey }: BackupOptions) {
  const { derived } = yield* KinoraConfig
  const partial = `${target}.partial`
  yield* io(target, async () => {
    if (await exists(target)) throw new Error("it exists already. Name a folder that does not.")
    if (await exists(partial)) throw new Error(`${partial} is left of a backup that was cut off. Remove it.`)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await mkdir(partial, { mode: 0o700 })
  })
  return yield* Effect.gen(function* () {
    const earlier = incremental ? yield* earlierFiles(target, derived.origin) : Option.none()
    if (incremental) {
      yield* Console.error(
        Option.match(earlier, {
          onNone: () => `There is no backup of this instance in ${dirname(target)} yet: every file is copied.`,
          onSome: ({ folder }) => `Files that ${folder} has are named again.`
        })
      )
    }
    const files = Option.map(earlier, (found) => found.files)
    const { configured, counted, dump, hasKey, snapshot } = yield* Effect.scoped(
      fill(partial, withoutKey, Option.getOrUndefined(files))
    )
    const missing = yield* missingFrom(partial)
    const database = yield* io(dump, () => digestOf(dump))
    const listed = yield* io(partial, () => digestOf(join(partial, listName)))
    const manifest: Manifest = {
      format: 1,
      head: snapshot.head,
      database: { path: databaseName, ...database },
      list: { path: listName, ...listed },
      files: counted.files,
      bytes: counted.bytes,
      secretKey: hasKey && !withoutKey ? "included" : hasKey || !configured ? "left out" : "configuration",
      missing
    }
    yield* io(partial, async () => {
      await writeFile(join(partial, manifestName), encodeManifest(manifest), { mode: privateMode, flush: true })
      await rename(partial, target)
    })
    yield* Console.error(`${counted.files} files, ${inUnits(counted.bytes)}; database ${inUnits(database.size)}`)
    return manifest
  }).pipe(Effect.onError(() => Effect.promise(() => rm(partial, { recursive: true, force: true }))))
})
