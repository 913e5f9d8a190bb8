import { Effect, Stream } from "effect"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { randomUUID } from "node:crypto"
import { BackupProblem } from "./BackupFormat.ts"

/** Bytes that a place keeps. */
export interface Kept {
  /** Below the place, with slashes. */
  readonly name: string
  readonly size: number
  readonly modifiedAt: Date
}

/** Where backups are kept: bytes by name, which appear whole or not at all. */
export interface BackupPlace {
  /** For messages: a folder, or `s3://bucket/prefix`. */
  readonly address: string
  /** Keeps `size` bytes under a name; what was there is replaced. */
  readonly put: (name: string, size: number, bytes: AsyncIterable<Uint8Array>) => Effect.Effect<void, BackupProblem>
  readonly read: (name: string) => Stream.Stream<Uint8Array, BackupProblem>
  /** Bytes of what has that name; undefined: nothing has. */
  readonly find: (name: string) => Effect.Effect<number | undefined, BackupProblem>
  /** Names of the folders directly below the place. */
  readonly folders: Effect.Effect<ReadonlyArray<string>, BackupProblem>
  /** Everything in a folder, at any depth. */
  readonly list: (folder: string) => Stream.Stream<Kept, BackupProblem>
  /** Idempotent. */
  readonly remove: (name: string) => Effect.Effect<void, BackupProblem>
}

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException | undefined)?.code

/** What a refusal of the file system, or of what is written, means. */
export const problemAt =
  (path: string) =>
  (cause: unknown): BackupProblem =>
    cause instanceof BackupProblem
      ? cause
      : new BackupProblem({
          message:
            codeOf(cause) === "ENOSPC"
              ? `The disk of ${path} is full. Make room, or name a folder on another disk.`
              : `${path}: ${cause instanceof Error ? cause.message : String(cause)}`
        })

/** Anything the file system refuses ends the backup. */
export const io = <A>(path: string, work: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: problemAt(path) })

const syncFolder = async (path: string) => {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

const entriesOf = (path: string) =>
  readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return []
    throw cause
  })

/** A folder on disk. Only its owner may read what it keeps. */
export const folderPlace = (root: string): BackupPlace => {
  const filesBelow = async function* (folder: string): AsyncGenerator<Kept> {
    for (const entry of await entriesOf(join(root, folder))) {
      const name = `${folder}/${entry.name}`
      if (entry.isDirectory()) yield* filesBelow(name)
      else if (entry.isFile()) {
        const { mtime, size } = await stat(join(root, name))
        yield { name, size, modifiedAt: mtime }
      }
    }
  }
  return {
    address: root,
    put: (name, size, bytes) => {
      const path = join(root, name)
      const draft = `${path}.${randomUUID()}.partial`
      return io(path, async (signal) => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        try {
          await pipeline(Readable.from(bytes), createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }), {
            signal
          })
          const written = (await stat(draft)).size
          if (written !== size) throw new Error(`${written} bytes came instead of ${size}`)
          await rename(draft, path)
          await syncFolder(dirname(path))
        } finally {
          await rm(draft, { force: true })
        }
      })
    },
    read: (name) => {
      const path = join(root, name)
      return Stream.suspend(() =>
        Stream.fromAsyncIterable(createReadStream(path, { highWaterMark: 256 * 1024 }), problemAt(path))
      )
    },
    find: (name) =>
      io(join(root, name), () =>
        stat(join(root, name)).then(
          (found) => (found.isFile() ? found.size : undefined),
          (cause: unknown) => {
            if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return undefined
            throw cause
          }
        )
      ),
    folders: io(root, async () =>
      (await entriesOf(root)).filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    ),
    list: (folder) => Stream.fromAsyncIterable(filesBelow(folder), problemAt(join(root, folder))),
    remove: (name) => io(join(root, name), () => rm(join(root, name), { recursive: true, force: true }))
  }
}
