import { Effect, Layer, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { chmod, copyFile, link, mkdir, open, rename, rm, rmdir, stat, statfs } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { codeOf, IoError, writing } from "./DiskErrors.ts"
import { type Bucket, buckets, isPrivateBucket, isValidFolder, isValidKey, type ObjectKey } from "./ObjectKey.ts"
import { listObjects } from "./ObjectListing.ts"
import { type ByteRange, ObjectNotFound, type ObjectStat, ObjectStore } from "./ObjectStore.ts"

/** Absolute directory of each bucket; they may be on different devices. */
export interface DiskObjectStoreOptions {
  readonly directories: Readonly<Record<Bucket, string>>
}

const privateFile = 0o600
const publicFile = 0o644

/** File mode of the bucket's folders. */
const folderMode = (bucket: Bucket): number => (isPrivateBucket(bucket) ? 0o700 : 0o777)

const isMissing = (cause: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(cause) ?? "")

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  await handle.sync().finally(() => handle.close())
}

/** Copies under a temporary name, and syncs before renaming. */
const copyWhole = async (from: string, to: string): Promise<void> => {
  const partial = join(dirname(to), `.${basename(to)}.${randomUUID()}`)
  try {
    await copyFile(from, partial)
    await sync(partial)
    await rename(partial, to)
  } catch (failure) {
    await rm(partial, { force: true })
    throw failure
  }
}

/** Across devices a rename becomes a copy. */
const moveFile = async (from: string, to: string): Promise<void> => {
  await sync(from)
  try {
    await rename(from, to)
  } catch (cause) {
    if (codeOf(cause) !== "EXDEV") throw cause
    await copyWhole(from, to)
    await rm(from)
  }
  await sync(dirname(to))
}

/** On file systems without hard links, and across devices, the file is copied. */
const unlinkable = new Set(["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/** Objects are never changed, so two names can share their bytes. */
const linkFile = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (cause) {
    if (!unlinkable.has(codeOf(cause) ?? "")) throw cause
    await copyWhole(from, to)
  }
  await sync(dirname(to))
}

/** Files in directories, which must exist. */
export const makeDiskStore = (directories: Readonly<Record<Bucket, string>>): ObjectStore["Service"] => {
  const pathOf = (key: ObjectKey): string => {
    if (!isValidKey(key)) throw new Error(`Not a name of ours: ${key.bucket}/${key.name}`)
    return join(directories[key.bucket], key.name)
  }

  const reading = <A>(key: ObjectKey, action: (path: string) => Promise<A>): Effect.Effect<A, ObjectNotFound> =>
    isValidKey(key)
      ? Effect.tryPromise({ try: () => action(pathOf(key)), catch: (cause) => new IoError({ cause }) }).pipe(
          Effect.catch(({ cause }) => (isMissing(cause) ? Effect.fail(new ObjectNotFound({ key })) : Effect.die(cause)))
        )
      : Effect.fail(new ObjectNotFound({ key }))

  const statOf = (key: ObjectKey): Effect.Effect<ObjectStat, ObjectNotFound> =>
    reading(key, async (path) => {
      const stats = await stat(path)
      if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "ENOENT" })
      return { size: stats.size, modifiedAt: stats.mtime }
    })

  const putFile = (key: ObjectKey, sourcePath: string) =>
    writing(async () => {
      const target = pathOf(key)
      await mkdir(dirname(target), { recursive: true, mode: folderMode(key.bucket) })
      if (isPrivateBucket(key.bucket)) await chmod(sourcePath, privateFile)
      await moveFile(sourcePath, target)
    })

  return {
    stat: statOf,
    put: Effect.fn("ObjectStore.put")(function* (key, sourcePath) {
      yield* putFile(key, sourcePath)
      return yield* Effect.orDie(statOf(key))
    }),
    openRead: (key: ObjectKey, range?: ByteRange) =>
      Stream.unwrap(
        Effect.map(statOf(key), () =>
          Stream.fromAsyncIterable(
            createReadStream(pathOf(key), { ...range }) as AsyncIterable<Uint8Array>,
            (cause) => cause
          ).pipe(
            Stream.catch((cause) => (isMissing(cause) ? Stream.fail(new ObjectNotFound({ key })) : Stream.die(cause)))
          )
        )
      ),
    remove: Effect.fn("ObjectStore.remove")(function* (key, from) {
      if (from === "s3") return
      yield* Effect.promise(async () => {
        const path = pathOf(key)
        await rm(path, { force: true })
        // A video's folder is removed with its last file.
        if (key.name.includes("/")) await rmdir(dirname(path)).catch(() => undefined)
      })
    }),
    removeFolder: Effect.fn("ObjectStore.removeFolder")(function* (bucket, folder) {
      if (!isValidFolder(bucket, folder))
        return yield* Effect.die(new Error(`Not a folder of ours: ${bucket}/${folder}`))
      yield* Effect.promise(() => rm(join(directories[bucket], folder), { recursive: true, force: true }))
    }),
    copy: Effect.fn("ObjectStore.copy")(function* (from, to) {
      yield* statOf(from)
      yield* writing(async () => {
        const target = pathOf(to)
        await mkdir(dirname(target), { recursive: true, mode: folderMode(to.bucket) })
        await linkFile(pathOf(from), target)
        // Both names share the file mode. A file in a private folder is protected by the folder, whatever its own mode.
        if (isPrivateBucket(from.bucket) !== isPrivateBucket(to.bucket)) {
          await chmod(target, isPrivateBucket(to.bucket) ? privateFile : publicFile)
        }
      })
    }),
    place: (key) =>
      isValidKey(key) ? Effect.succeed({ _tag: "Disk", path: pathOf(key) }) : Effect.fail(new ObjectNotFound({ key })),
    localFile: (key) => Effect.map(statOf(key), () => pathOf(key)),
    scopedFile: (key) => Effect.map(statOf(key), () => pathOf(key)),
    recover: () => Effect.succeed(false),
    giveUpUploads: () => Effect.succeed(0),
    isThere: (key) =>
      Effect.match(statOf(key), {
        onFailure: () => false,
        onSuccess: () => true
      }),
    list: (bucket) => listObjects(directories[bucket], bucket),
    freeBytes: Effect.fn("ObjectStore.freeBytes")(function* (bucket) {
      const stats = yield* Effect.promise(() => statfs(directories[bucket]))
      return stats.bavail * stats.bsize
    })
  }
}

/** Makes the directories that are missing. */
export const prepareDirectories = Effect.fnUntraced(function* (directories: Readonly<Record<Bucket, string>>) {
  for (const bucket of buckets) {
    const directory = directories[bucket]
    yield* Effect.promise(() => mkdir(directory, { recursive: true, mode: folderMode(bucket) }))
    // An earlier version may have made the folder world-readable.
    if (isPrivateBucket(bucket)) yield* Effect.promise(() => chmod(directory, 0o700))
  }
})

/** Files in directories, which are created if missing. */
export const layer = ({ directories }: DiskObjectStoreOptions): Layer.Layer<ObjectStore> =>
  Layer.effect(ObjectStore, Effect.as(prepareDirectories(directories), makeDiskStore(directories)))
