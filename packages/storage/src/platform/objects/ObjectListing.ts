import { Stream } from "effect"
import { opendir, stat } from "node:fs/promises"
import { join } from "node:path"
import { codeOf } from "./DiskErrors.ts"
import { type Bucket, isNestedBucket, isValidFolder, isValidKey, type ObjectKey } from "./ObjectKey.ts"
import type { ListedObject } from "./ObjectStore.ts"

/** Names in a folder, one after another: there may be very many. None where there is no folder. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT" && codeOf(cause) !== "ENOTDIR") throw cause
  }
}

async function* keysIn(directory: string, bucket: Bucket): AsyncGenerator<ObjectKey> {
  for await (const name of namesIn(directory)) {
    if (!isNestedBucket(bucket)) yield { bucket, name }
    else if (isValidFolder(bucket, name)) {
      for await (const file of namesIn(join(directory, name))) yield { bucket, name: `${name}/${file}` }
    }
  }
}

async function* objectsIn(directory: string, bucket: Bucket): AsyncGenerator<ListedObject> {
  for await (const key of keysIn(directory, bucket)) {
    // Drafts of objects, and the folders of other buckets below this one.
    if (!isValidKey(key)) continue
    const found = await stat(join(directory, key.name)).catch((cause: unknown) => {
      if (codeOf(cause) === "ENOENT") return undefined
      throw cause
    })
    if (found?.isFile() === true) yield { key, size: found.size, modifiedAt: found.mtime }
  }
}

/** Every object of a bucket whose folder is given, in no order. Objects that come or go meanwhile may be missing. */
export const listObjects = (directory: string, bucket: Bucket): Stream.Stream<ListedObject> =>
  Stream.orDie(Stream.fromAsyncIterable(objectsIn(directory, bucket), (cause) => cause))
