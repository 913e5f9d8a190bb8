import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { settleOrigin } from "../../../src/instance/installation/Origin.ts"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { loadFilledInstance } from "../../support/FilledInstance.ts"
import { EmptyDatabase } from "../../support/TestDatabase.ts"

const renamed = "https://videos.example"

/** Every column with a value that contains the text, `table.column`. */
const columnsWith = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient
  const columns = yield* sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1, 2`
  const found = yield* Effect.filter(columns, ({ column, table }) =>
    Effect.map(
      sql`select from ${sql(table)} where strpos(${sql(column)}::text, ${text}) > 0 limit 1`,
      (rows) => rows.length > 0
    )
  )
  return found.map(({ column, table }) => `${table}.${column}`)
})

describe("another public address", { timeout: 120_000 }, () => {
  it.live("is written into every column that has the former one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* loadFilledInstance
      yield* migrate({ backupsDirectory: undefined })
      const [setting] = yield* sql<{ origin: string }>`
        select value #>> '{}' as origin from instance_setting where key = 'origin'`
      const former = setting!.origin
      // What the other instance knows of ours and has sent, and what is on its way.
      const account = `${former}/accounts/root`
      yield* sql`update remote_actor set also_known_as = ${["https://else.example/users/ada", account]}`
      yield* sql`update remote_video set tracker_urls = ${[`${former}/tracker/announce`]}`
      yield* sql`insert into inbox_activity (uri, host, actor_url, type, object, body) values
        ('https://peer.example/likes/1', 'peer.example', 'https://peer.example/accounts/ada', 'Like',
          ${`${former}/videos/watch/1`}, ${`{"actor": "https://peer.example/accounts/ada", "object": "${former}/videos/watch/1", "to": ["${former}"]}`}::jsonb)`
      yield* sql`insert into delivery_fanout (activity_id, lane, inboxes)
        select id, 1, ${["https://peer.example/inbox"]} from activity limit 1`
      yield* sql`insert into activity (uri, type, body, document, forwarded) values
        (${`${former}/a/1`}, 'Create', '{}', ${`{"id":"${former}/a/1","signature":{}}`}, false),
        ('https://peer.example/b/1', 'Create', '{}', ${`{"inReplyTo":"${former}/videos/watch/1"}`}, true)`
      yield* sql`update comment_page set form = 'kept', heads = ${[`{"url":"${former}/1"`]}`

      const before = yield* columnsWith(former)
      for (const column of [
        "actor.url",
        "activity.body",
        "activity.thing",
        "inbox_activity.object",
        "runner_job.payload"
      ])
        assert.include(before, column)
      const refused = yield* Effect.flip(settleOrigin(renamed, false))
      assert.include(refused.message, `known as ${former}`)
      assert.deepStrictEqual(yield* columnsWith(former), before)

      assert.isTrue(yield* settleOrigin(renamed, true))
      yield* prepareReadModels(renamed)
      // What others signed stays as they did, and pages of comments are made anew.
      assert.deepStrictEqual(yield* columnsWith(former), ["activity.document", "comment_page.heads"])
      assert.deepStrictEqual(yield* sql`select count(*)::integer as n from comment_page where form is not null`, [
        { n: 0 }
      ])
      assert.deepStrictEqual(yield* sql`select uri from activity where document is not null`, [
        { uri: "https://peer.example/b/1" }
      ])
      assert.deepStrictEqual(yield* sql`select distinct also_known_as as others from remote_actor`, [
        { others: ["https://else.example/users/ada", `${renamed}/accounts/root`] }
      ])
      assert.deepStrictEqual(
        yield* sql`select object, body ->> 'object' as body, body -> 'to' as "to" from inbox_activity where type = 'Like' and host = 'peer.example'`,
        [{ object: `${renamed}/videos/watch/1`, body: `${renamed}/videos/watch/1`, to: [renamed] }]
      )
      assert.isFalse(yield* settleOrigin(renamed, false))
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )
})
