import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { settingsChannel } from "./SettingNotices.ts"

/** Values by path in the configuration, as JSON. */
export type StoredSettings = ReadonlyMap<string, unknown>

/** The settings that administrators changed. All nodes of an instance share them. */
export class CustomSettingRows extends Context.Service<
  CustomSettingRows,
  {
    readonly all: Effect.Effect<StoredSettings, DatabaseUnavailable>
    /**
     * Replaces all of them by what `decide` makes of them, in one transaction. Changes wait for each other, so none is
     * decided on settings that are outdated. Nodes are notified when the transaction commits.
     */
    readonly replace: <A, E>(
      decide: (stored: StoredSettings) => Effect.Effect<{ readonly values: StoredSettings; readonly result: A }, E>
    ) => Effect.Effect<A, E | DatabaseUnavailable>
  }
>()("@kinora/storage/settings/CustomSettingRows") {
  static readonly layer = Layer.effect(
    CustomSettingRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const read = Effect.map(
        sql<{ path: string; value: unknown }>`select path, value from custom_setting order by path`,
        (rows): StoredSettings => new Map(rows.map(({ path, value }) => [path, value]))
      )

      const write = Effect.fnUntraced(function* (values: StoredSettings) {
        const rows = JSON.stringify([...values].map(([path, value]) => ({ path, value })))
        // A cross join keeps JSON null as a value: `jsonb_to_recordset` would make SQL null of it.
        yield* sql`delete from custom_setting where not (${rows}::jsonb @> jsonb_build_array(jsonb_build_object('path', path)))`
        yield* sql`
          insert into custom_setting (path, value)
          select item ->> 'path', item -> 'value' from jsonb_array_elements(${rows}::jsonb) item
          on conflict (path) do update set value = excluded.value, updated_at = now()
          where custom_setting.value <> excluded.value
        `
        yield* sql`select pg_notify(${settingsChannel}, '')`
      })

      const replace = <A, E>(
        decide: (stored: StoredSettings) => Effect.Effect<{ readonly values: StoredSettings; readonly result: A }, E>
      ): Effect.Effect<A, E | DatabaseUnavailable> =>
        withDatabaseErrors(
          sql.withTransaction(
            Effect.gen(function* (): Effect.fn.Return<A, E | SqlError> {
              yield* sql`lock table custom_setting in share row exclusive mode`
              const { result, values } = yield* decide(yield* read)
              yield* write(values)
              return result
            })
          )
        ) as Effect.Effect<A, E | DatabaseUnavailable>

      return CustomSettingRows.of({ all: withDatabaseErrors(read), replace })
    })
  )
}
