import { makeS3Client } from "@kinora/storage/platform/objects/s3/S3Client"
import type { S3Failure } from "@kinora/storage/platform/objects/s3/S3Failure"
import { Effect, Stream } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { backupS3Settings } from "../../platform/config/BackupSettings.ts"
import { BackupProblem } from "./BackupFormat.ts"
import { type BackupPlace, problemAt } from "./BackupPlace.ts"

/** A bucket and what keys begin with: empty, or with a slash at its end. */
export interface S3Address {
  readonly bucket: string
  readonly prefix: string
}

/** `s3://bucket/prefix`; undefined for anything else. */
export const s3AddressOf = (text: string): S3Address | undefined => {
  const [, bucket, path = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/.exec(text) ?? []
  if (bucket === undefined) return undefined
  const segments = path.split("/").filter((segment) => segment !== "")
  if (segments.some((segment) => segment === "." || segment === "..")) return undefined
  return { bucket, prefix: segments.map((segment) => `${segment}/`).join("") }
}

const failed = (failure: S3Failure) => new BackupProblem({ message: failure.message })

/** A part of a bucket, reached with the keys of `backup.s3`. */
export const makeS3Place = Effect.fn("makeS3Place")(function* ({ bucket, prefix }: S3Address) {
  const { backup } = yield* KinoraConfig
  const settings = backupS3Settings(backup.s3)
  if (typeof settings === "string") return yield* new BackupProblem({ message: settings })
  const client = yield* makeS3Client(settings)
  const address = `s3://${bucket}/${prefix}`.replace(/\/$/, "")
  const place: BackupPlace = {
    address,
    put: (name, size, bytes) =>
      Effect.mapError(
        client.putStream({ bucket, key: prefix + name, size, bytes, failed: problemAt(name) }),
        (failure) => (failure._tag === "S3Failure" ? failed(failure) : failure)
      ),
    read: (name) =>
      Stream.unwrap(
        Effect.map(client.find(bucket, prefix + name), (found) =>
          found === undefined
            ? Stream.fail(new BackupProblem({ message: `${address} has no ${name}` }))
            : Stream.mapError(client.read(bucket, prefix + name, { start: 0, end: found.size - 1 }), failed)
        ).pipe(Effect.mapError(failed))
      ),
    find: (name) =>
      Effect.mapBoth(client.find(bucket, prefix + name), { onSuccess: (found) => found?.size, onFailure: failed }),
    folders: client.folders(bucket, prefix).pipe(
      Stream.map((folder) => folder.slice(prefix.length).replace(/\/$/, "")),
      Stream.runCollect,
      Effect.mapError(failed)
    ),
    list: (folder) =>
      client.list(bucket, `${prefix}${folder}/`).pipe(
        Stream.map(({ key, modifiedAt, size }) => ({ name: key.slice(prefix.length), size, modifiedAt })),
        Stream.mapError(failed)
      ),
    remove: (name) => Effect.mapError(client.remove(bucket, prefix + name), failed)
  }
  return place
})
