import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../database/DatabaseErrors.ts"
import type { ObjectKey, Bucket } from "../ObjectKey.ts"
import type { ObjectStat, StoreName } from "../ObjectStore.ts"
import type { FileDigests } from "./FileDigests.ts"
import type { UploadLog } from "./S3Upload.ts"

/** An object in object storage, as its row has it. */
export interface S3Row extends ObjectStat {
  /** In hexadecimal. */
  readonly sha256: string | null
}

/** The rows that say what is in object storage. A database that does not answer is a defect: nothing is known without it. */
export const makeS3Rows = (sql: SqlClient) => {
  const find = ({ bucket, name }: ObjectKey) =>
    sql<{ size: number; sha256: string | null; createdAt: Date }>`
      select size, encode(sha256, 'hex') as sha256, created_at as "createdAt"
      from s3_object where bucket = ${bucket} and name = ${name}`.pipe(
      Effect.map(([row]): S3Row | undefined =>
        row === undefined
          ? undefined
          : { size: Number(row.size), sha256: row.sha256, modifiedAt: new Date(row.createdAt) }
      ),
      withDatabaseErrors,
      Effect.orDie
    )

  /** From now on the object is read from object storage. */
  const add = (
    { bucket, name }: ObjectKey,
    { sha256, size }: { readonly size: number; readonly sha256: string | null }
  ) =>
    sql`
      insert into s3_object (bucket, name, size, sha256)
      values (${bucket}, ${name}, ${size}, decode(${sha256}::text, 'hex'))
      on conflict (bucket, name) do update set size = excluded.size, sha256 = excluded.sha256, created_at = now()
      returning created_at as "createdAt"`

  const remove = ({ bucket, name }: ObjectKey) =>
    sql`delete from s3_object where bucket = ${bucket} and name = ${name} returning name`

  const removeFolder = (bucket: Bucket, folder: string) =>
    sql`delete from s3_object where bucket = ${bucket} and starts_with(name, ${`${folder}/`})`.pipe(
      withDatabaseErrors,
      Effect.orDie
    )

  /**
   * No removal from the store waits for the object any longer: it comes there anew. One that is under way is waited for.
   * Must be committed before the bytes arrive.
   */
  const expect = ({ bucket, name }: ObjectKey, store: StoreName) =>
    sql`delete from object_removal where bucket = ${bucket} and name = ${name} and store = ${store}`.pipe(
      withDatabaseErrors,
      Effect.orDie
    )

  /** What was uploaded of the same bytes in parts of the same size. */
  const uploads = ({ bucket, name }: ObjectKey, { parts, sha256 }: FileDigests): UploadLog<never> => {
    const partBytes = parts[0]!.length
    const here = sql`bucket = ${bucket} and name = ${name}`
    const orDie = <A, E>(effect: Effect.Effect<A, E>) => Effect.orDie(effect)
    return {
      found: sql<{ uploadId: string; number: number | null; etag: string | null }>`
        select u.upload_id as "uploadId", p.number, p.etag
        from s3_upload u left join s3_upload_part p on p.bucket = u.bucket and p.name = u.name
        where u.bucket = ${bucket} and u.name = ${name} and u.part_bytes = ${partBytes}
          and u.sha256 = decode(${sha256}, 'hex')`.pipe(
        Effect.map((rows) => {
          const uploadId = rows[0]?.uploadId
          if (uploadId === undefined) return undefined
          return {
            uploadId,
            parts: new Map(rows.flatMap((row) => (row.number === null ? [] : [[row.number, row.etag!]])))
          }
        }),
        orDie
      ),
      begin: (uploadId) =>
        sql`delete from s3_upload where ${here}`.pipe(
          Effect.andThen(sql`
            insert into s3_upload (bucket, name, upload_id, sha256, part_bytes)
            values (${bucket}, ${name}, ${uploadId}, decode(${sha256}, 'hex'), ${partBytes})`),
          sql.withTransaction,
          Effect.asVoid,
          orDie
        ),
      part: (number, etag) =>
        sql`
          insert into s3_upload_part (bucket, name, number, etag) values (${bucket}, ${name}, ${number}, ${etag})
          on conflict (bucket, name, number) do update set etag = excluded.etag`.pipe(Effect.asVoid, orDie),
      end: sql`delete from s3_upload where ${here}`.pipe(Effect.asVoid, orDie)
    }
  }

  /** Id of an upload of the object that was not completed. */
  const unfinished = ({ bucket, name }: ObjectKey) =>
    sql<{ id: string }>`select upload_id as id from s3_upload where bucket = ${bucket} and name = ${name}`.pipe(
      Effect.map(([row]) => row?.id),
      Effect.orDie
    )
  /** Objects whose upload began so long ago and was not completed. */
  const unfinishedFor = (days: number) =>
    sql<ObjectKey>`select bucket, name from s3_upload where created_at < now() - make_interval(days => ${days})`.pipe(
      withDatabaseErrors,
      Effect.orDie
    )
  const forgetUpload = ({ bucket, name }: ObjectKey) =>
    Effect.orDie(sql`delete from s3_upload where bucket = ${bucket} and name = ${name}`)

  /** In the caller's transaction: removes the object from one store, after a while. */
  const removeFrom = ({ bucket, name }: ObjectKey, store: StoreName, graceSeconds: number) =>
    sql`
      insert into object_removal (bucket, name, store, not_before)
      values (${bucket}, ${name}, ${store}, now() + make_interval(secs => ${graceSeconds}))`

  return { find, add, remove, removeFolder, expect, uploads, unfinished, unfinishedFor, forgetUpload, removeFrom }
}
