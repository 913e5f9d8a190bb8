import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer, type Scope, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { type Bucket, isValidKey, type ObjectKey } from "../../platform/objects/ObjectKey.ts"
import type { StoreName } from "../../platform/objects/ObjectStore.ts"
import { namedObjects, videoObjects } from "./NamedObjects.ts"

/** Another process moves objects. */
export class MovesHeld extends Data.TaggedError("MovesHeld")<{ readonly message: string }> {}

/** What to move. */
export interface MoveQuery {
  readonly to: StoreName
  readonly kinds: ReadonlyArray<Bucket>
  /** UUIDs of videos, to move their files alone; empty: all there is. */
  readonly videos: ReadonlyArray<string>
}

/** A number that every version of the program takes: who moves objects. */
const mover = 5_462_004

/** Originals that are read at the moment stay: of videos with jobs that have not ended. */
const busy = `select s.filename from video_source s join job j on j.video_id = s.video_id
  where s.filename is not null and j.state in ('waiting', 'waiting-children', 'active', 'delayed')`

const statement = (videos: boolean) => `
  select distinct o.bucket, o.name from (${
    videos
      ? `select n.bucket, n.name from (${videoObjects}) n join video v on v.id = n.video_id where v.uuid = any($3::uuid[])`
      : `${namedObjects} and cardinality($3::uuid[]) = 0`
  }) o
  where o.name is not null and o.bucket = any($1::text[])
    and exists (select from s3_object s where s.bucket = o.bucket and s.name = o.name) = $2::boolean
    and ($2::boolean or o.bucket <> 'original_video_files' or o.name not in (${busy}))
  order by o.bucket, o.name`

/** Objects that are not where they are to be, and the right to move them. */
export class MovableObjects extends Context.Service<
  MovableObjects,
  {
    readonly list: (query: MoveQuery) => Stream.Stream<ObjectKey, DatabaseUnavailable>
    /** One process moves at a time: until the scope, or the process, ends. */
    readonly hold: Effect.Effect<void, MovesHeld | DatabaseUnavailable, Scope.Scope>
    /** How many objects rows say are in object storage. */
    readonly countInS3: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/inventory/MovableObjects") {
  static readonly layer = Layer.effect(
    MovableObjects,
    Effect.gen(function* () {
      const sql = yield* PgClient

      const connect = Effect.gen(function* () {
        const connection = yield* PgConnection.make({ ...sql.config, applicationName: "kinora storage move" })
        yield* connection.query("set statement_timeout = 0")
        return connection
      })

      const list = ({ kinds, to, videos }: MoveQuery): Stream.Stream<ObjectKey, DatabaseUnavailable> =>
        Stream.unwrap(
          Effect.map(connect, (connection) =>
            connection.stream(statement(videos.length > 0), [[...kinds], to === "disk", [...videos]])
          )
        ).pipe(
          Stream.map((row): ObjectKey => ({ bucket: String(row["bucket"]) as Bucket, name: String(row["name"]) })),
          Stream.filter(isValidKey),
          Stream.catch((error: SqlError) => Stream.fromEffect(withDatabaseErrors(Effect.fail(error))))
        )

      const hold = Effect.gen(function* () {
        const connection = yield* withDatabaseErrors(connect)
        const { rows } = yield* withDatabaseErrors(connection.query("select pg_try_advisory_lock($1) as held", [mover]))
        if (rows[0]?.["held"] !== true) {
          return yield* new MovesHeld({
            message: "Another process moves files at the moment. Wait until it has ended."
          })
        }
      })

      const countInS3 = sql<{ count: number }>`select count(*)::integer as count from s3_object`.pipe(
        Effect.map(([row]) => row?.count ?? 0),
        withDatabaseErrors
      )

      return MovableObjects.of({ list, hold, countInS3 })
    })
  )
}
