import { Effect, Option, Stream } from "effect"
import { link, readdir, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { type BackupFile, BackupProblem, type Manifest } from "./BackupFormat.ts"
import type { Digest } from "./HashedCopy.ts"
import { filesOf, hasDigest, openBackup } from "./OpenBackup.ts"

/** A whole backup that lies beside others. */
interface EarlierBackup {
  readonly folder: string
  readonly manifest: Manifest
}

/** Whole backups of the instance in a folder, the newest first. What is none, or of another instance, is passed over. */
const backupsIn = Effect.fnUntraced(function* (folder: string, origin: string | null) {
  const entries = yield* Effect.promise(() => readdir(folder, { withFileTypes: true }).catch(() => []))
  const found: Array<EarlierBackup> = []
  for (const entry of entries) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    const manifest = yield* Effect.option(openBackup(path))
    if (Option.isSome(manifest) && manifest.value.head.origin === origin) {
      found.push({ folder: path, manifest: manifest.value })
    }
  }
  return found.sort((one, other) => other.manifest.head.createdAt.localeCompare(one.manifest.head.createdAt))
})

/** Files of an earlier backup, to be named again in a new one. */
export interface EarlierFiles {
  /** Gives the file of that path a second name, if the earlier backup has it and that can be; and what it holds. */
  readonly name: (path: string, to: string) => Promise<Digest | undefined>
}

/**
 * The files of the newest backup beside `target`: objects never change, so those of the same name hold the same bytes, and are
 * neither read nor copied again. None where there is no such backup.
 */
export const earlierFiles = Effect.fn("earlierFiles")(function* (target: string, origin: string | null) {
  const [newest] = yield* backupsIn(dirname(target), origin)
  if (newest === undefined) return Option.none()
  const { folder, manifest } = newest
  yield* hasDigest(folder, manifest.list)
  const digests = new Map<string, Digest>()
  yield* filesOf(folder, manifest.list.path).pipe(
    Stream.runForEach(({ path, sha256, size }: BackupFile) => Effect.sync(() => digests.set(path, { size, sha256 })))
  )
  const files: EarlierFiles = {
    name: async (path, to) => {
      const digest = digests.get(path)
      if (digest === undefined) return undefined
      const from = join(folder, path)
      // One that is missing there, or of another size, is damaged: it is taken from the instance.
      const found = await stat(from).catch(() => undefined)
      if (found?.size !== digest.size) return undefined
      return await link(from, to).then(
        () => digest,
        () => undefined
      )
    }
  }
  return Option.some({ folder, files })
})

/** Removes all whole backups of the instance beside `target` but the newest ones; gives the names of those that went. */
export const keepNewest = Effect.fn("keepNewest")(function* (target: string, origin: string | null, keep: number) {
  const old = (yield* backupsIn(dirname(target), origin)).slice(keep).filter(({ folder }) => folder !== target)
  for (const { folder } of old) {
    yield* Effect.tryPromise({
      try: () => rm(folder, { recursive: true }),
      catch: (cause) => new BackupProblem({ message: `${folder} cannot be removed: ${String(cause)}` })
    })
  }
  return old.map(({ folder }) => basename(folder))
})
