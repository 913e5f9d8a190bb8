import { Effect, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writing } from "./DiskErrors.ts"
import type { ObjectKey } from "./ObjectKey.ts"
import type { ObjectStore } from "./ObjectStore.ts"

/** Reads a small object, such as a playlist, completely. */
export const readObject = (objects: ObjectStore["Service"], key: ObjectKey) =>
  Effect.map(Stream.runCollect(objects.openRead(key)), (parts) => Buffer.concat(parts))

/** Stores a small object from memory. */
export const putBytes = (objects: ObjectStore["Service"], key: ObjectKey, bytes: Uint8Array | string) => {
  const draft = join(tmpdir(), randomUUID())
  return writing(() => writeFile(draft, bytes, { mode: 0o600 })).pipe(
    Effect.andThen(objects.put(key, draft)),
    Effect.ensuring(Effect.promise(() => rm(draft, { force: true })))
  )
}
