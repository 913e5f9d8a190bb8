import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { intendObjects, keepObjects } from "../platform/objects/ObjectIntents.ts"
import type { ObjectKey } from "../platform/objects/ObjectKey.ts"

/** Where a file of a result is: `file` is its name in the result, such as `video.mp4`. */
export const resultObject = (result: string, file: string): ObjectKey => ({
  bucket: "staged_uploads",
  name: `${result}-${file}`
})

/** Files of results of runners that are objects, so that every node can put them into use. */
export class RunnerResultObjects extends Context.Service<
  RunnerResultObjects,
  {
    /** Must be called before a file is stored: unless it is added within a day, it is removed. */
    readonly intend: (result: string, file: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Adds a stored file of so many bytes. */
    readonly add: (result: string, file: string, size: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Lets go of all files of a result. Idempotent. */
    readonly drop: (result: string) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Lets go of results that no job needs. `seconds`: how long a complete result may stay unrecorded.
     */
    readonly dropUnneeded: (seconds: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/RunnerResultObjects") {
  static readonly layer = Layer.effect(
    RunnerResultObjects,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const add = Effect.fn("RunnerResultObjects.add")(
        function* (result: string, file: string, size: number) {
          const object = resultObject(result, file)
          yield* sql`insert into runner_result_object (name, result, size) values (${object.name}, ${result}, ${size})`
          yield* keepObjects(sql, [object])
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const drop = Effect.fn("RunnerResultObjects.drop")(function* (result: string) {
        yield* sql`delete from runner_result_object where result = ${result}`
      }, withDatabaseErrors)

      const dropUnneeded = Effect.fn("RunnerResultObjects.dropUnneeded")(function* (seconds: number) {
        // As RunnerLadders: a failed ladder may be retried for a day, and goes on with what it has.
        yield* sql`
          delete from runner_result_object o
          where o.created_at < now() - make_interval(secs => ${seconds}) and not exists (
            select 1 from runner_job r join job j on j.id = r.job_id where r.result = o.result
              and (j.state not in ('completed', 'failed', 'cancelled')
                or (j.state = 'failed' and j.finished_at > now() - interval '1 day'))
          )`
      }, withDatabaseErrors)

      return RunnerResultObjects.of({
        intend: (result, file) => withDatabaseErrors(intendObjects(sql, [resultObject(result, file)])),
        add,
        drop,
        dropUnneeded
      })
    })
  )
}
