import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

const settingKey = "homepage"

/** The homepage an administrator wrote, as Markdown. */
export class HomepageRows extends Context.Service<
  HomepageRows,
  {
    readonly content: Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Null removes it. */
    readonly write: (content: string | null) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/homepage/HomepageRows") {
  static readonly layer = Layer.effect(
    HomepageRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const content = withDatabaseErrors(
        Effect.map(
          sql<{ content: string }>`
            select value #>> '{}' as content from instance_setting where key = ${settingKey}
          `,
          (rows) => Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.content)
        )
      )

      const write = Effect.fn("HomepageRows.write")(function* (text: string | null) {
        if (text === null) yield* sql`delete from instance_setting where key = ${settingKey}`
        else {
          yield* sql`
            insert into instance_setting (key, value) values (${settingKey}, to_jsonb(${text}::text))
            on conflict (key) do update set value = excluded.value, updated_at = now()
          `
        }
      }, withDatabaseErrors)

      return HomepageRows.of({ content, write })
    })
  )
}
