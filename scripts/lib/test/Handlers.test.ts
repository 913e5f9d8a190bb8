import { assert, describe, it } from "vitest"
import { violations } from "../Boundaries.ts"
import { brokenHandlers, writingFunctions } from "../Handlers.ts"

const handler = "packages/node/src/video/history/HistoryHttp.ts"

/** What is wrong with a handler that imports these names of a repository with this statement. */
const importing = (statement: string, names = "HistoryRows", more: Readonly<Record<string, string>> = {}) =>
  brokenHandlers(
    new Map(
      Object.entries({
        [handler]: `import { ${names} } from "@kinora/storage/video/history/HistoryRows"\n`,
        "packages/storage/src/video/history/HistoryRows.ts": `export const HistoryRows = (sql) => sql\`${statement}\`\n`,
        ...more
      })
    )
  )

describe("handlers", () => {
  it.each([
    "select * from user_video_history where updated_at < now()",
    "select for_users, update_at, set_by from video_update",
    "select a.id from account a for each row"
  ])("may import a repository that reads: %s", (statement) => {
    assert.deepStrictEqual(importing(statement), [])
  })

  it.each([
    "insert into user_video_history values (1)",
    "delete from user_video_history",
    "with gone as (delete\n from user_video_history returning 1) select 1",
    "update user_video_history set updated_at = now()",
    "update only user_video_history h set updated_at = now()",
    "update ${sql(table)} as h set updated_at = now()",
    "merge into user_video_history h using x on true when matched then delete",
    "select id from video where id = 1 for update",
    "select id from video where id = 1 for no key update of video",
    "select id from video where id = 1 for key share",
    "select id from video where id = 1 for share",
    "select pg_advisory_xact_lock(1)"
  ])("import no repository that writes or locks: %s", (statement) => {
    const [said, ...others] = importing(statement)
    assert.include(said, `${handler}: imports packages/storage/src/video/history/HistoryRows.ts, which writes or locks`)
    assert.isEmpty(others)
  })

  const functions = {
    "packages/storage/sql/video/functions/history.sql": `-- Watch history.
create function forget_all() returns void language sql as $$
  delete from user_video_history
$$;
create function forget_quietly(text) returns void language plpgsql as $$
begin
  perform forget_all();
end
$$;
create function history_size() returns bigint language sql as $$
  -- Says what forget_all() would delete from the table.
  select count(*) from user_video_history where 'delete from' <> ''
$$;
`
  }

  it("knows the SQL functions that write, by themselves or by others", () => {
    assert.deepStrictEqual([...writingFunctions(Object.values(functions))], ["forget_all", "forget_quietly"])
    assert.include(importing("select forget_quietly('all')", "HistoryRows", functions)[0], '"forget_quietly("')
    assert.isEmpty(importing("select history_size()", "HistoryRows", functions))
  })

  it("may import types of any repository, and whatever comments say", () => {
    assert.isEmpty(importing("delete from user_video_history", "type HistoryRows"))
    assert.isEmpty(
      brokenHandlers(
        new Map([
          [handler, 'import type { A } from "@kinora/storage/A"\n// import { A } from "@kinora/storage/A"\n'],
          ["packages/storage/src/A.ts", "const a = 'delete from b'"]
        ])
      )
    )
    const reader = "/** Nothing to delete from. */\n// insert into nothing\nexport const A = 'select 1'\n"
    assert.isEmpty(
      brokenHandlers(
        new Map([
          [handler, 'import { A } from "@kinora/storage/A"\n'],
          ["packages/storage/src/A.ts", reader]
        ])
      )
    )
  })

  it("are told apart from services by their names alone", () => {
    const service = 'import { A } from "@kinora/storage/A"\nexport const layer = A.layer\n'
    const sources = new Map([
      ["packages/node/src/video/history/WatchHistory.ts", service],
      ["packages/storage/src/A.ts", "export const A = 'delete from b'\n"]
    ])
    assert.isEmpty(brokenHandlers(sources))
    sources.set(
      "packages/node/src/video/history/HistoryRoutes.ts",
      'import { A as B, type C } from "@kinora/storage/A"\n'
    )
    assert.lengthOf(brokenHandlers(sources), 1)
    sources.set("packages/node/src/video/history/HistoryRoutes.ts", 'const { A } = await import("@kinora/storage/A")\n')
    assert.lengthOf(brokenHandlers(sources), 1)
    sources.set(
      "packages/node/src/video/history/HistoryRoutes.ts",
      'import * as B from "../../../../storage/src/A.ts"\nexport const layer = B.layer\n'
    )
    assert.lengthOf(brokenHandlers(sources), 2)
  })

  it.each<readonly [what: string, source: string, said: string]>([
    [
      "provide no repository",
      'import { A } from "@kinora/storage/A"\nexport const layer = routes.pipe(Layer.provide(A.layer))\n',
      "provides A.layer"
    ],
    ["hold no SQL", 'import { SqlClient } from "effect/sql/SqlClient"\n', "repositories hold the SQL"],
    [
      "decide no rights",
      'import { mayUpdate } from "../list/VideoRights.ts"\n',
      "decides by packages/node/src/video/list/VideoRights.ts"
    ]
  ])("%s", (_, source, said) => {
    const sources = new Map([
      [handler, source],
      ["packages/storage/src/A.ts", "export const A = 'select 1'\n"]
    ])
    assert.include(brokenHandlers(sources).join("\n"), said)
    assert.include(violations(sources).join("\n"), said)
  })

  it("can trust the names of repositories that read", () => {
    const path = "packages/storage/src/video/history/HistoryLists.ts"
    assert.isEmpty(brokenHandlers(new Map([[path, "sql`select * from user_video_history`"]])))
    assert.deepStrictEqual(brokenHandlers(new Map([[path, "sql`delete from user_video_history`"]])), [
      `${path}: writes or locks ("delete from"), which its name denies`
    ])
  })

  it("may name actions that rights decide", () => {
    assert.isEmpty(brokenHandlers(new Map([[handler, 'import type { Action } from "../list/VideoRights.ts"\n']])))
  })
})
