import { Effect, Option, Redacted, Result, Stream } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { backupPassphrase } from "../../platform/config/BackupSettings.ts"
import { type BackupCipher, makeAgeCipher, makeIdentity, openIdentity, plainCipher } from "./BackupCipher.ts"
import {
  BackupProblem,
  decodeManifest,
  encodeManifest,
  identityName,
  type Manifest,
  manifestName,
  sharedFolder
} from "./BackupFormat.ts"
import { type BackupPlace, problemAt } from "./BackupPlace.ts"

/** A whole backup of format 2. */
export interface RepositoryBackup {
  readonly name: string
  readonly manifest: Manifest
}

/** Backups of format 2 in one place, which share the files they have in common. */
export interface Repository {
  readonly place: BackupPlace
  /** How backups are kept: all of one place in the same way. */
  readonly cipher: BackupCipher
  /** Keeps bytes of that size; `name` is without the suffix. */
  readonly put: (name: string, size: number, bytes: AsyncIterable<Uint8Array>) => Effect.Effect<void, BackupProblem>
  /** What is kept, in clear. */
  readonly read: (name: string) => Stream.Stream<Uint8Array, BackupProblem>
  /** The whole backup of that name; undefined: there is none. */
  readonly find: (name: string) => Effect.Effect<RepositoryBackup | undefined, BackupProblem>
  /** All whole backups, the newest first, and what is wrong with those that cannot be read. */
  readonly backups: Effect.Effect<
    { readonly whole: ReadonlyArray<RepositoryBackup>; readonly unreadable: ReadonlyArray<BackupProblem> },
    BackupProblem
  >
  /** Makes a backup whole. */
  readonly finish: (name: string, manifest: Manifest) => Effect.Effect<void, BackupProblem>
}

const largestManifest = 1024 * 1024

/** Names that can be those of a backup, on every disk and in every bucket. */
export const isBackupName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && name !== sharedFolder

/** Where a file of that digest is kept, without the suffix. */
export const sharedName = (cipher: BackupCipher, sha256: string): string => {
  const name = cipher.nameOf(sha256)
  return `${sharedFolder}/${name.slice(0, 2)}/${name}`
}

const collect = (place: BackupPlace, name: string) =>
  place.read(name).pipe(
    Stream.runFold(
      () => Buffer.alloc(0),
      (all, bytes) => Buffer.concat([all, bytes])
    ),
    Effect.filterOrFail(
      (bytes) => bytes.length <= largestManifest,
      () => new BackupProblem({ message: `${place.address}/${name} is too large` })
    )
  )

/** The key of a place, opened with the configured passphrase, or made with it. */
const cipherOf = Effect.fnUntraced(function* (place: BackupPlace, isMade: boolean) {
  const { backup } = yield* KinoraConfig
  const passphrase = yield* Effect.mapError(
    backupPassphrase(backup.encryption),
    (message) => new BackupProblem({ message })
  )
  const isThere = (yield* place.find(identityName)) !== undefined
  if (Option.isNone(passphrase)) {
    if (!isThere) return plainCipher
    return yield* new BackupProblem({
      message: `Backups in ${place.address} are encrypted: set backup.encryption.passphrase or backup.encryption.passphrase_file.`
    })
  }
  const text = Redacted.value(passphrase.value)
  const failed = problemAt(`${place.address}/${identityName}`)
  if (isThere) {
    const file = yield* collect(place, identityName)
    const identity = yield* Effect.tryPromise({ try: () => openIdentity(file, text), catch: failed })
    if (identity !== undefined) return yield* Effect.tryPromise({ try: () => makeAgeCipher(identity), catch: failed })
    return yield* new BackupProblem({
      message: `The configured passphrase does not open ${place.address}/${identityName}: it is another one, or the file is damaged. Nothing was changed.`
    })
  }
  const hasPlain = (yield* place.folders).includes(sharedFolder)
  if (!isMade || hasPlain) {
    return yield* new BackupProblem({
      message: isMade
        ? `${place.address} holds backups that are not encrypted. Encrypted ones need a place of their own: choose another.`
        : `${place.address} has no ${identityName}: there are no encrypted backups. To read others, unset backup.encryption.`
    })
  }
  const { file, identity } = yield* Effect.tryPromise({ try: () => makeIdentity(text), catch: failed })
  yield* place.put(identityName, file.length, Stream.toAsyncIterable(Stream.make(file)))
  return yield* Effect.tryPromise({ try: () => makeAgeCipher(identity), catch: failed })
})

/** Opens the backups in a place. `isMade`: a key is made where encryption is configured and there is none. */
export const openRepository = Effect.fn("openRepository")(function* (place: BackupPlace, isMade = false) {
  const cipher = yield* cipherOf(place, isMade)

  const read: Repository["read"] = (name) => {
    const full = `${name}${cipher.suffix}`
    return Stream.suspend(() =>
      Stream.fromAsyncIterable(cipher.open(Stream.toAsyncIterable(place.read(full))), (cause) =>
        cause instanceof BackupProblem
          ? cause
          : new BackupProblem({
              message: `The backup is damaged: ${place.address}/${full} cannot be decrypted. ${String(cause)}`
            })
      )
    )
  }

  const put: Repository["put"] = (name, size, bytes) =>
    place.put(`${name}${cipher.suffix}`, cipher.storedSize(size), cipher.seal(bytes))

  const find: Repository["find"] = Effect.fnUntraced(function* (name) {
    const file = `${name}/${manifestName}${cipher.suffix}`
    const path = `${place.address}/${file}`
    const size = yield* place.find(file)
    if (size === undefined) return undefined
    if (size > largestManifest) return yield* new BackupProblem({ message: `${path} is too large` })
    const text = yield* Stream.mkString(Stream.decodeText(read(`${name}/${manifestName}`)))
    const [line = "", proof] = text.split("\n")
    if (cipher.proofOf(line) !== (proof === "" ? undefined : proof)) {
      return yield* new BackupProblem({ message: `${path} was not written with the key of these backups.` })
    }
    const manifest = yield* Effect.mapError(
      decodeManifest(line),
      () =>
        new BackupProblem({ message: `${path} is not of a format that this version reads. A newer one may read it.` })
    )
    // A folder of files under their own names, beside encrypted backups.
    if (manifest.format === 1) return undefined
    if (manifest.name === name) return { name, manifest }
    return yield* new BackupProblem({
      message: `${path} is the manifest of another backup, ${manifest.name ?? "without a name"}.`
    })
  })

  const backups = Effect.gen(function* () {
    const names = (yield* place.folders).filter(isBackupName)
    const found = yield* Effect.forEach(names, (name) => Effect.result(find(name)), { concurrency: 4 })
    return {
      whole: found
        .flatMap((one) => (Result.isSuccess(one) && one.success !== undefined ? [one.success] : []))
        .toSorted((one, other) => other.manifest.head.createdAt.localeCompare(one.manifest.head.createdAt)),
      unreadable: found.flatMap((one) => (Result.isFailure(one) ? [one.failure] : []))
    }
  })

  const finish: Repository["finish"] = (name, manifest) => {
    const line = encodeManifest({ ...manifest, name })
    const bytes = Buffer.from(`${line}\n${cipher.proofOf(line) ?? ""}`)
    return put(`${name}/${manifestName}`, bytes.length, Stream.toAsyncIterable(Stream.make(bytes)))
  }

  return { place, cipher, put, read, find, backups, finish } satisfies Repository
})
