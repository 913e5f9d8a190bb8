import { Console, Effect, Option, Stream } from "effect"
import { link, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { exists } from "../../platform/folders/Exists.ts"
import { encodeManifest, type Manifest, manifestName } from "./BackupFormat.ts"
import { io } from "./BackupPlace.ts"
import { folderSource } from "./BackupSource.ts"
import type { BackupWriter, WriterOptions } from "./BackupWriter.ts"
import { copyFile, type Digest, linkOrCopy } from "./HashedCopy.ts"
import { filesOf, openBackup } from "./OpenBackup.ts"

const privateMode = 0o600

/** A whole backup that lies beside others. */
export interface EarlierBackup {
  readonly folder: string
  readonly manifest: Manifest
}

/** Whole backups in a folder, the newest first. What is none is passed over. */
export const backupsIn = Effect.fnUntraced(function* (folder: string) {
  const entries = yield* Effect.promise(() => readdir(folder, { withFileTypes: true }).catch(() => []))
  const found: Array<EarlierBackup> = []
  for (const entry of entries) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    const manifest = yield* Effect.option(openBackup(path))
    if (Option.isSome(manifest)) found.push({ folder: path, manifest: manifest.value })
  }
  return found.sort((one, other) => other.manifest.head.createdAt.localeCompare(one.manifest.head.createdAt))
})

/** What the files of a backup hold, by path. */
const digestsOf = Effect.fnUntraced(function* ({ folder }: EarlierBackup) {
  const list = yield* Effect.scoped((yield* folderSource(folder)).list)
  const digests = new Map<string, Digest>()
  yield* Stream.runForEach(filesOf(list), ({ path, sha256, size }) =>
    Effect.sync(() => digests.set(path, { size, sha256 }))
  )
  return digests
})

/**
 * Writes a backup into a folder of its own, in which files have their own names. Objects never change: those of the newest
 * backup beside it get a second name. The folder has the suffix `.partial` until it is whole; with the scope it goes, unless
 * it was finished.
 */
export const makeFolderWriter = Effect.fn("makeFolderWriter")(function* (target: string, options: WriterOptions) {
  const { derived } = yield* KinoraConfig
  const partial = `${target}.partial`
  yield* Effect.acquireRelease(
    io(target, async () => {
      if (await exists(target)) throw new Error("it exists already. Name a folder that does not.")
      if (await exists(partial)) throw new Error(`${partial} is left of a backup that was cut off. Remove it.`)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await mkdir(partial, { mode: 0o700 })
    }),
    () => Effect.promise(() => rm(partial, { recursive: true, force: true }))
  )
  const others =
    options.incremental || options.keeps
      ? (yield* backupsIn(dirname(target))).filter(({ manifest }) => manifest.head.origin === derived.origin)
      : []
  const newest = options.incremental ? others[0] : undefined
  const digests =
    newest === undefined
      ? new Map<string, Digest>()
      : yield* Effect.catch(digestsOf(newest), ({ message }) =>
          Effect.as(Console.error(`warning: ${message} Every file is copied.`), new Map<string, Digest>())
        )

  const into = <A>(path: string, work: (to: string, signal: AbortSignal) => Promise<A>) => {
    const to = join(partial, path)
    return io(to, async (signal) => {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      return await work(to, signal)
    })
  }

  return {
    address: target,
    work: partial,
    earlier: newest?.folder,
    reuse: (path) => {
      const digest = digests.get(path)
      if (digest === undefined || newest === undefined) return Effect.succeed(undefined)
      return into(path, async (to) => {
        const from = join(newest.folder, path)
        // One that is missing there, or of another size, is damaged: it is taken from the instance.
        const found = await stat(from).catch(() => undefined)
        if (found?.size !== digest.size) return undefined
        return await link(from, to).then(
          () => digest,
          () => undefined
        )
      })
    },
    // A file that grows is copied, never linked.
    add: (path, from, { grows, mode }) =>
      into(path, (to, signal) => (grows ? copyFile : linkOrCopy)(from, to, mode, signal)),
    finish: (manifest) =>
      io(partial, async () => {
        await writeFile(join(partial, manifestName), encodeManifest(manifest), { mode: privateMode, flush: true })
        await rename(partial, target)
      }),
    keep: Effect.fnUntraced(function* (count) {
      const old = others.slice(count - 1)
      for (const { folder } of old) yield* io(folder, () => rm(folder, { recursive: true }))
      return old.map(({ folder }) => basename(folder))
    })
  } satisfies BackupWriter
})
