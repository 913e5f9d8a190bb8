import { Effect, Stream } from "effect"
import { type BackupSource, checkDigest } from "./BackupSource.ts"
import { filesOf } from "./OpenBackup.ts"
import { makeProgress } from "./Progress.ts"

/** Reads every byte of a backup and compares it with its checksum; where it is encrypted, all of it is decrypted. */
export const verifyBackup = Effect.fn("verifyBackup")(function* (source: BackupSource) {
  yield* source.database
  const list = yield* source.list
  const progress = yield* makeProgress("Checking", source.manifest.bytes)
  yield* filesOf(list).pipe(
    Stream.mapEffect((file) => Effect.andThen(checkDigest(file, source.read(file)), progress.file(file.size)), {
      concurrency: 4
    }),
    Stream.runDrain
  )
}, Effect.scoped)
