import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Clock, Context, Duration, Effect, Layer, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { ObjectName } from "../../platform/objects/ObjectIntents.ts"
import { type Bucket, buckets } from "../../platform/objects/ObjectKey.ts"
import { type ListedObject, ObjectStore } from "../../platform/objects/ObjectStore.ts"
import { namedObjects } from "./NamedObjects.ts"

/** Buckets whose files the operator brings, and that no row names. */
const ofOperator: ReadonlySet<Bucket> = new Set(["well_known", "uploads"])

const batch = 1000

/** What rows name and what waits for its removal, read once: to look up very many names. */
const knownTable = `create temporary table known_object as
  ${namedObjects} union all select bucket, name from object_removal where store is null`

const unknownNames = `select n.name from json_array_elements_text($1::json) n (name) where not exists (
    select 1 from known_object k where k.bucket = $2 and k.name in (n.name, split_part(n.name, '/', 1)))`

/** Compares files and the rows that name them. */
export class StorageCheck extends Context.Service<
  StorageCheck,
  {
    /** Objects that rows name and that are not there. */
    readonly missing: Stream.Stream<ObjectName, DatabaseUnavailable>
    /** Objects that no row names and no removal waits for, written longer ago than `age`: younger ones may be about to be named. */
    readonly orphans: (age: Duration.Duration) => Stream.Stream<ListedObject, DatabaseUnavailable>
    /** Queues orphans for their removal, but for those that a row names by now; answers how many. */
    readonly remove: (orphans: ReadonlyArray<ObjectName>) => Effect.Effect<number, DatabaseUnavailable>
    /**
     * Deletes rows whose object is missing and can be had again: copies of pictures of other instances, which are
     * fetched when they are asked for, and archives that a user can ask for again. Files that are in object storage, of which
     * the row was lost, get it again. Answers how many are mended.
     */
    readonly forget: (missing: ReadonlyArray<ObjectName>) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/StorageCheck") {
  static readonly layer = Layer.effect(
    StorageCheck,
    Effect.gen(function* () {
      const sql = yield* PgClient
      const objects = yield* ObjectStore

      const connect = Effect.gen(function* () {
        const connection = yield* PgConnection.make({ ...sql.config, applicationName: "kinora storage check" })
        // Reads all that there is.
        yield* connection.query("set statement_timeout = 0")
        return connection
      })
      const streaming = <A>(
        make: (connection: PgConnection.PgConnection) => Effect.Effect<Stream.Stream<A, SqlError>, SqlError>
      ): Stream.Stream<A, DatabaseUnavailable> =>
        Stream.unwrap(Effect.flatMap(connect, make)).pipe(
          Stream.catch((error) => Stream.fromEffect(withDatabaseErrors(Effect.fail(error))))
        )

      const isThere = (object: ObjectName) => objects.isThere({ bucket: object.bucket as Bucket, name: object.name })

      const missing = streaming((connection) =>
        Effect.succeed(
          connection.stream(namedObjects).pipe(
            Stream.map((row): ObjectName => ({ bucket: String(row["bucket"]), name: String(row["name"]) })),
            Stream.mapEffect((object) => Effect.map(isThere(object), (present) => ({ object, present })), {
              concurrency: 16
            }),
            Stream.filter(({ present }) => !present),
            Stream.map(({ object }) => object)
          )
        )
      )

      const unknown = Effect.fnUntraced(function* (
        connection: PgConnection.PgConnection,
        bucket: Bucket,
        listed: ReadonlyArray<ListedObject>
      ) {
        const names = JSON.stringify(listed.map(({ key }) => key.name))
        const { rows } = yield* connection.query(unknownNames, [names, bucket])
        const orphaned = new Set(rows.map((row) => row["name"]))
        return listed.filter(({ key }) => orphaned.has(key.name))
      })

      const orphans = (age: Duration.Duration) =>
        streaming(
          Effect.fnUntraced(function* (connection) {
            const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
            yield* connection.query(knownTable)
            yield* connection.query("create index on known_object (name)")
            yield* connection.query("analyze known_object")
            return Stream.fromIterable(buckets.filter((bucket) => !ofOperator.has(bucket))).pipe(
              Stream.flatMap((bucket) =>
                objects.list(bucket).pipe(
                  Stream.filter(({ modifiedAt }) => modifiedAt.getTime() < before),
                  Stream.grouped(batch),
                  Stream.mapEffect((listed) => unknown(connection, bucket, listed)),
                  Stream.flatMap((found) => Stream.fromIterable(found))
                )
              )
            )
          })
        )

      const remove = Effect.fn("StorageCheck.remove")(function* (orphaned: ReadonlyArray<ObjectName>) {
        // A file that is renamed keeps its age: what a row names by now, or will when its work is done, stays.
        const rows = yield* sql`
          insert into object_removal (bucket, name)
          select o.bucket, o.name from json_to_recordset(${JSON.stringify(orphaned)}::text::json) o (bucket text, name text)
          where not exists (select 1 from (${sql.literal(namedObjects)}) n where n.bucket = o.bucket and n.name = o.name)
            and not exists (select 1 from object_removal r where r.store is null and r.bucket = o.bucket
              and r.name in (o.name, split_part(o.name, '/', 1)))
          returning id`
        return rows.length
      }, withDatabaseErrors)

      const recover = ({ bucket, name }: ObjectName) => objects.recover({ bucket: bucket as Bucket, name })

      const forget = Effect.fn("StorageCheck.forget")(function* (lost: ReadonlyArray<ObjectName>) {
        const found = yield* Effect.forEach(lost, recover, { concurrency: 8 })
        const gone = lost.filter((_, index) => found[index] !== true)
        const names = JSON.stringify(gone)
        const copies = yield* sql`
          delete from remote_copy c using json_to_recordset(${names}::text::json) o (bucket text, name text)
          where c.bucket = o.bucket and c.name = o.name returning c.name`
        const archives = yield* sql`
          delete from user_export e using json_to_recordset(${names}::text::json) o (bucket text, name text)
          where o.bucket = 'user_exports' and o.name = e.uuid || '.zip' returning e.id`
        return lost.length - gone.length + copies.length + archives.length
      }, withDatabaseErrors)

      return StorageCheck.of({ missing, orphans, remove, forget })
    })
  )
}
