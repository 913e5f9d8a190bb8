import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Small values that belong to the whole instance rather than one node, by key. */
export class InstanceSettings extends Context.Service<
  InstanceSettings,
  {
    readonly text: (key: string) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** The value of the key. If there is none, `value` is stored. Concurrent callers get the same value. */
    readonly textOr: (key: string, value: string) => Effect.Effect<string, DatabaseUnavailable>
    /** Changes a value if it still is the given one. */
    readonly replace: (key: string, former: string, value: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/InstanceSettings") {
  static readonly layer = Layer.effect(
    InstanceSettings,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = (key: string) =>
        Effect.map(
          sql<{ value: string }>`select value #>> '{}' as value from instance_setting where key = ${key}`,
          (rows) => Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.value)
        )

      const text = Effect.fn("InstanceSettings.text")(read, withDatabaseErrors)

      const textOr = Effect.fn("InstanceSettings.textOr")(function* (key: string, value: string) {
        yield* sql`
          insert into instance_setting (key, value) values (${key}, to_jsonb(${value}::text)) on conflict do nothing
        `
        return Option.getOrThrow(yield* read(key))
      }, withDatabaseErrors)

      const replace = Effect.fn("InstanceSettings.replace")(function* (key: string, former: string, value: string) {
        yield* sql`
          update instance_setting set value = to_jsonb(${value}::text) where key = ${key} and value #>> '{}' = ${former}
        `
      }, withDatabaseErrors)

      return InstanceSettings.of({ text, textOr, replace })
    })
  )
}
