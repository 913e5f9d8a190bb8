import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { abandonObjects, intendObjects, keepObjects } from "../../platform/objects/ObjectIntents.ts"
import type { ObjectKey } from "../../platform/objects/ObjectKey.ts"

/** A part of the file of an unfinished upload. */
export interface UploadPart {
  readonly name: string
  /** Bytes of the upload before it. */
  readonly begins: number
  /** Bytes. */
  readonly size: number
}

export const stagedObject = (name: string): ObjectKey => ({ bucket: "staged_uploads", name })

/** Files of unfinished uploads that are objects, so that every node can go on with them. They go with the upload. */
export class UploadObjects extends Context.Service<
  UploadObjects,
  {
    /** Parts of the file in their order, without a gap. */
    readonly parts: (uploadId: string) => Effect.Effect<ReadonlyArray<UploadPart>, DatabaseUnavailable>
    /** Must be called before an object is stored: unless it is added within a day, it is removed. */
    readonly intend: (name: string) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Adds a stored part. False if it does not begin where the last one ended, or if the request `holder` does not hold the upload any
     * more: then the object is removed.
     */
    readonly addPart: (
      uploadId: string,
      part: UploadPart,
      holder: string
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Adds a stored picture. */
    readonly addPicture: (uploadId: string, name: string, size: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Lets go of all files of an upload. Idempotent. */
    readonly drop: (uploadId: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/uploads/UploadObjects") {
  static readonly layer = Layer.effect(
    UploadObjects,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const parts = Effect.fn("UploadObjects.parts")(function* (uploadId: string) {
        return yield* sql<UploadPart>`
          select name, begins_at as begins, size from upload_object
          where upload_id = ${uploadId} and begins_at is not null order by begins_at`
      }, withDatabaseErrors)

      const addPart = Effect.fn("UploadObjects.addPart")(
        function* (uploadId: string, { begins, name, size }: UploadPart, holder: string) {
          const held = yield* sql`
            select 1 from upload_session where id = ${uploadId} and held_by = ${holder}::uuid and state = 'open' for update`
          const added =
            held.length === 0
              ? []
              : yield* sql`
                  insert into upload_object (name, upload_id, begins_at, size)
                  select ${name}, ${uploadId}, ${begins}::bigint, ${size}::bigint
                  where ${begins}::bigint = coalesce((
                    select max(begins_at + size) from upload_object where upload_id = ${uploadId} and begins_at is not null
                  ), 0) returning name`
          const objects = [stagedObject(name)]
          yield* added.length === 0 ? abandonObjects(sql, objects) : keepObjects(sql, objects)
          return added.length > 0
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const addPicture = Effect.fn("UploadObjects.addPicture")(
        function* (uploadId: string, name: string, size: number) {
          const [session] = yield* sql`select 1 from upload_session where id = ${uploadId} for key share`
          if (session === undefined) return
          yield* sql`
            insert into upload_object (name, upload_id, size) values (${name}, ${uploadId}, ${size})
            on conflict (name) do nothing`
          yield* keepObjects(sql, [stagedObject(name)])
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const drop = Effect.fn("UploadObjects.drop")(function* (uploadId: string) {
        yield* sql`delete from upload_object where upload_id = ${uploadId}`
      }, withDatabaseErrors)

      return UploadObjects.of({
        parts,
        intend: (name) => withDatabaseErrors(intendObjects(sql, [stagedObject(name)])),
        addPart,
        addPicture,
        drop
      })
    })
  )
}
