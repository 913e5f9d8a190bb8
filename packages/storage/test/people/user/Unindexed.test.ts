import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(TestDatabase)("rows that go with a user, a channel or a video", (it) => {
  it.effect("are found by an index, however many there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ name: string }>`
        select c.conrelid::regclass || '.' || a.attname as name
        from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.confrelid in (
          'app_user'::regclass, 'account'::regclass, 'actor'::regclass, 'video_channel'::regclass, 'video'::regclass
        ) and not exists (
          -- An index of the rows that have one serves as well: looking for a value asks for no others.
          select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
            and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', format('(%I IS NOT NULL)', a.attname))
        ) order by 1`
      assert.deepStrictEqual(
        rows.map(({ name }) => name),
        []
      )
    })
  )
})
