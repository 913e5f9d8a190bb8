import { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { type FileHandle, open, stat, statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { writing } from "../DiskErrors.ts"
import { isPrivateBucket, type ObjectKey } from "../ObjectKey.ts"
import type { S3Client } from "./S3Client.ts"
import { S3Failure } from "./S3Failure.ts"
import { keyIn, type S3Kind, type S3Kinds } from "./S3Kinds.ts"
import type { makeS3Rows, S3Row } from "./S3Rows.ts"

export interface S3ObjectsOptions {
  readonly client: S3Client
  readonly rows: ReturnType<typeof makeS3Rows>
  readonly kinds: S3Kinds
  /** Media type of a file, by its name. */
  readonly contentType: (name: string) => string
}

const unchanging = "public, max-age=31536000, immutable"
const revalidated = "public, max-age=0, must-revalidate"
const hidden = "private, no-store"

/** Playlists of a replay and lists of digests may be written anew under the same name. */
const mayChange = /-master\.m3u8$|\.json$/

const cacheControl = ({ bucket, name }: ObjectKey): string =>
  isPrivateBucket(bucket) ? hidden : mayChange.test(name) ? revalidated : unchanging

const noKind = ({ bucket }: ObjectKey) =>
  new S3Failure({ reason: "refused", message: `No bucket of the object storage is configured for ${bucket}` })

const writeAll = async (handle: FileHandle, bytes: Uint8Array): Promise<void> => {
  let done = 0
  while (done < bytes.length) done += (await handle.write(bytes, done)).bytesWritten
}

/** Objects of ours in object storage: their bytes, checked on the way there and back. Rows are written by others. */
export const makeS3Objects = ({ client, contentType, kinds, rows }: S3ObjectsOptions) => {
  const kindOf = (key: ObjectKey): Effect.Effect<S3Kind, S3Failure> => {
    const kind = kinds[key.bucket]
    return kind === undefined ? Effect.fail(noKind(key)) : Effect.succeed(kind)
  }

  const headersOf = (key: ObjectKey, { acl }: S3Kind): Record<string, string> => ({
    "content-type": contentType(key.name),
    "cache-control": cacheControl(key),
    ...(acl === undefined ? {} : { "x-amz-acl": acl })
  })

  /**
   * Stores a copy of a local file; what an earlier try has uploaded of it is not sent again. `reuse`: the whole object may
   * be there already, which its entity tag proves.
   */
  const upload = Effect.fn("S3Objects.upload")(function* (key: ObjectKey, path: string, reuse?: "reuse") {
    const kind = yield* kindOf(key)
    const { size } = yield* Effect.promise(() => stat(path))
    const digests = yield* client.digests(path, size)
    const what = { bucket: kind.bucket, key: keyIn(kind, key), path, digests, headers: headersOf(key, kind) }
    yield* rows.expect(key, "s3")
    if (reuse !== undefined && (yield* client.has(what))) return digests
    const log = rows.uploads(key, digests)
    yield* client.put(what, log).pipe(
      // The service may have given the unfinished upload up.
      Effect.catchIf(
        ({ reason }) => reason === "missing" && digests.parts.length > 1,
        () => Effect.andThen(log.end, client.put(what, log))
      )
    )
    return digests
  })

  /** Writes the object into a new file, and compares its size and its digest. */
  const download = Effect.fn("S3Objects.download")(function* (key: ObjectKey, row: S3Row, path: string) {
    const kind = yield* kindOf(key)
    const disk = yield* Effect.promise(() => statfs(dirname(path)))
    if (disk.bavail * disk.bsize < row.size) return yield* new InsufficientStorage()
    const handle = yield* Effect.acquireRelease(
      Effect.promise(() => open(path, "wx", 0o600)),
      (file) => Effect.promise(() => file.close())
    )
    const digest = createHash("sha256")
    yield* client.read(kind.bucket, keyIn(kind, key), { start: 0, end: row.size - 1 }).pipe(
      Stream.runForEach((bytes) => {
        digest.update(bytes)
        return writing(() => writeAll(handle, bytes))
      })
    )
    yield* writing(() => handle.sync())
    if (row.sha256 !== null && digest.digest("hex") !== row.sha256) {
      return yield* new S3Failure({
        reason: "corrupt",
        message: `${key.bucket}/${key.name} has other bytes in the object storage than were stored there`
      })
    }
  }, Effect.scoped)

  /** A second object with the same bytes; none passes through here. */
  const copy = Effect.fn("S3Objects.copy")(function* (from: ObjectKey, row: S3Row, to: ObjectKey) {
    const [source, target] = [yield* kindOf(from), yield* kindOf(to)]
    yield* rows.expect(to, "s3")
    const key = keyIn(target, to)
    yield* client.copy(
      { bucket: source.bucket, key: keyIn(source, from), size: row.size },
      { bucket: target.bucket, key },
      headersOf(to, target)
    )
    if ((yield* client.find(target.bucket, key))?.size !== row.size) {
      return yield* new S3Failure({ reason: "corrupt", message: `${key} was not copied whole` })
    }
  })

  /** What is there now; undefined for nothing. */
  const find = (key: ObjectKey) => Effect.flatMap(kindOf(key), (kind) => client.find(kind.bucket, keyIn(kind, key)))

  /** The parts of an upload that was not completed go. Idempotent. */
  const giveUp = Effect.fn("S3Objects.giveUp")(function* (key: ObjectKey) {
    const kind = yield* kindOf(key)
    const unfinished = yield* rows.unfinished(key)
    if (unfinished === undefined) return
    yield* client.abort(kind.bucket, keyIn(kind, key), unfinished)
    yield* rows.forgetUpload(key)
  })

  /** Idempotent. An upload in parts that was not completed goes too. */
  const remove = Effect.fn("S3Objects.remove")(function* (key: ObjectKey) {
    const kind = yield* kindOf(key)
    yield* giveUp(key)
    yield* client.remove(kind.bucket, keyIn(kind, key))
  })

  return { kindOf, upload, download, copy, find, giveUp, remove }
}

export type S3Objects = ReturnType<typeof makeS3Objects>
