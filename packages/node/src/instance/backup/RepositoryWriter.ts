import { Console, Duration, Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { BackupProblem, databaseName, listName, manifestName, sharedFolder } from "./BackupFormat.ts"
import { io } from "./BackupPlace.ts"
import { repositorySource } from "./BackupSource.ts"
import type { BackupWriter, WriterOptions } from "./BackupWriter.ts"
import { type Digest, digestOf, firstBytes } from "./HashedCopy.ts"
import { filesOf } from "./OpenBackup.ts"
import { isBackupName, type Repository, type RepositoryBackup, sharedName } from "./Repository.ts"
import { workFolder } from "./WorkFolder.ts"

/** A file that no backup names may belong to one that is being written. */
const safeAge = Duration.toMillis("1 day")

/** The same bytes; fails at their end where they have another digest, so that nothing else is kept under its name. */
const sameBytes = async function* (bytes: AsyncIterable<Uint8Array>, { sha256 }: Digest, path: string) {
  const hash = createHash("sha256")
  for await (const piece of bytes) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest("hex") !== sha256) throw new BackupProblem({ message: `${path} was changed while it was backed up.` })
}

/** Paths and digests of the files of a backup. */
const filesIn = (repository: Repository, backup: RepositoryBackup) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const source = yield* repositorySource(repository, backup)
      return filesOf(yield* source.list)
    })
  )

/**
 * Writes a backup of format 2. Files that the place has already are not sent again: with `incremental` those of the newest
 * backup are taken without reading them, and what a backup sent that was cut off is found by its digest.
 */
export const makeRepositoryWriter = Effect.fn("makeRepositoryWriter")(function* (
  repository: Repository,
  name: string,
  options: WriterOptions
) {
  const config = yield* KinoraConfig
  const { cipher, place } = repository
  const address = `${place.address}/${name}`
  if (!isBackupName(name)) {
    return yield* new BackupProblem({
      message: `${name} cannot be the name of a backup: use letters, digits, ".", "-" and "_".`
    })
  }
  if ((yield* repository.find(name)) !== undefined) {
    return yield* new BackupProblem({ message: `${address} exists already. Choose another name.` })
  }
  const work = yield* workFolder
  const { unreadable, whole: others } =
    options.incremental || options.keeps ? yield* repository.backups : { unreadable: [], whole: [] }
  const own = others.filter(({ manifest }) => manifest.head.origin === config.derived.origin)
  const newest = options.incremental ? own[0] : undefined

  /** Sizes of what the place has, by name. */
  const there = new Map<string, number>()
  const digests = new Map<string, Digest>()
  if (options.incremental) {
    yield* Stream.runForEach(place.list(sharedFolder), (kept) => Effect.sync(() => there.set(kept.name, kept.size)))
  }
  if (newest !== undefined) {
    yield* filesIn(repository, newest).pipe(
      Stream.runForEach(({ path, sha256, size }) => Effect.sync(() => digests.set(path, { size, sha256 }))),
      Effect.catch(({ message }) => Console.error(`warning: ${message} Every file is read.`))
    )
  }
  const isThere = ({ sha256, size }: Digest) =>
    there.get(`${sharedName(cipher, sha256)}${cipher.suffix}`) === cipher.storedSize(size)

  /** Keeps the first bytes of a file, whose digest is known, under a name. */
  const send = (to: string, from: string, digest: Digest) =>
    repository.put(to, digest.size, sameBytes(firstBytes(from, digest.size), digest, from))

  const add: BackupWriter["add"] = (_, from, { grows }) =>
    Effect.gen(function* () {
      const { size } = yield* io(from, () => stat(from))
      const digest = yield* io(from, (signal) => digestOf(from, signal, size))
      if (isThere(digest)) return digest
      const name = sharedName(cipher, digest.sha256)
      yield* send(name, from, digest)
      there.set(`${name}${cipher.suffix}`, cipher.storedSize(size))
      return digest
    }).pipe(Effect.retry({ times: grows ? 3 : 0 }))

  const sweep = Effect.fnUntraced(function* (kept: ReadonlyArray<RepositoryBackup>) {
    const used = new Set<string>()
    for (const backup of kept) {
      yield* Stream.runForEach(filesIn(repository, backup), ({ sha256 }) =>
        Effect.sync(() => used.add(`${sharedName(cipher, sha256)}${cipher.suffix}`))
      )
    }
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    yield* place.list(sharedFolder).pipe(
      Stream.filter((one) => !used.has(one.name) && now - one.modifiedAt.getTime() > safeAge),
      Stream.mapEffect((one) => place.remove(one.name), { concurrency: 8 }),
      Stream.runDrain
    )
  })

  return {
    address,
    work,
    earlier: newest === undefined ? undefined : `${place.address}/${newest.name}`,
    reuse: (path) => {
      const digest = digests.get(path)
      return Effect.succeed(digest !== undefined && isThere(digest) ? digest : undefined)
    },
    add,
    finish: Effect.fnUntraced(function* (manifest, { database, list }) {
      yield* send(`${name}/${databaseName}`, database, manifest.database)
      yield* send(`${name}/${listName}`, list, manifest.list)
      yield* repository.finish(name, { ...manifest, format: 2 })
    }),
    keep: Effect.fnUntraced(function* (count) {
      const old = own.slice(count - 1)
      for (const backup of old) {
        const folder = yield* Stream.runCollect(place.list(backup.name))
        // Without its manifest it is no backup any more.
        yield* place.remove(`${backup.name}/${manifestName}${cipher.suffix}`)
        for (const one of folder) yield* place.remove(one.name)
        yield* place.remove(backup.name)
      }
      // Files of a backup that cannot be read would seem to belong to none.
      const [first] = unreadable
      if (first !== undefined)
        return yield* new BackupProblem({ message: `No shared file was removed. ${first.message}` })
      const made = yield* repository.find(name)
      const kept = [...others.filter((one) => !old.includes(one)), ...(made === undefined ? [] : [made])]
      yield* Effect.provideService(sweep(kept), KinoraConfig, config)
      return old.map((backup) => backup.name)
    })
  } satisfies BackupWriter
})
