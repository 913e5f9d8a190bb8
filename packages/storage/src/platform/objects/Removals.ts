import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"
import { type Bucket, isValidFolder, type ObjectKey } from "./ObjectKey.ts"
import { mayRemove } from "./RemovalHold.ts"
import { ObjectStore, type StoreName } from "./ObjectStore.ts"

const batch = 100

/**
 * Removes objects after the transaction that made them unreachable: it writes a row, and the file is removed later. So
 * a crash leaves neither an orphaned file nor a row without its file. A name that is a video's UUID means the whole
 * folder.
 */
export class Removals extends Context.Service<
  Removals,
  {
    /** In the caller's transaction. `after` leaves time for players that are still reading. */
    schedule(keys: ReadonlyArray<ObjectKey>, after?: Duration.Input): Effect.Effect<void, DatabaseUnavailable>
    /** Removes up to `limit` due objects and returns how many: none while a backup runs. Call it until it returns 0. */
    execute(limit: number): Effect.Effect<number, DatabaseUnavailable>
    /** Removes all that is due, and waits for what others are removing: afterwards it is gone, unless a backup runs. */
    readonly settle: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/objects/Removals") {
  static readonly layer = Layer.effect(
    Removals,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const store = yield* ObjectStore

      const schedule = Effect.fn("Removals.schedule")(function* (
        keys: ReadonlyArray<ObjectKey>,
        after: Duration.Input = Duration.zero
      ) {
        if (keys.length === 0) return
        const seconds = Duration.toMillis(Duration.fromInputUnsafe(after)) / 1000
        yield* sql`
            insert into object_removal (bucket, name, not_before)
            select bucket, name, now() + ${seconds} * interval '1 second'
            from unnest(${keys.map((key) => key.bucket)}::text[], ${keys.map((key) => key.name)}::text[]) k (bucket, name)`
      }, withDatabaseErrors)

      const removeOne = (bucket: Bucket, name: string, from: StoreName | null) =>
        isValidFolder(bucket, name)
          ? store.removeFolder(bucket, name)
          : store.remove({ bucket, name }, from ?? undefined)

      const round = Effect.fn("Removals.execute")(
        function* (limit: number, others: "pass by" | "wait") {
          if (!(yield* mayRemove(sql))) return 0
          const rows = yield* sql<{ id: number; bucket: Bucket; name: string; store: StoreName | null }>`
            select id, bucket, name, store from object_removal where not_before <= now()
            order by not_before, id for update ${sql.literal(others === "wait" ? "" : "skip locked")} limit ${limit}`
          for (const row of rows) {
            yield* removeOne(row.bucket, row.name, row.store).pipe(
              Effect.andThen(sql`delete from object_removal where id = ${row.id}`),
              Effect.catchDefect((cause) =>
                Effect.logError(`${row.bucket}/${row.name} cannot be removed. Trying again later.`, cause).pipe(
                  Effect.andThen(sql`
                    update object_removal set attempts = attempts + 1,
                      not_before = now() + least(3600, 30 * 2 ^ least(attempts, 10)) * interval '1 second'
                    where id = ${row.id}`)
                )
              )
            )
          }
          return rows.length
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const settle = Effect.gen(function* () {
        while ((yield* round(batch, "wait")) > 0);
      })

      return Removals.of({ schedule, execute: (limit) => round(limit, "pass by"), settle })
    })
  )
}
