import { afterAll, assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrations } from "../../../src/platform/migrations/MigrationList.ts"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"
import { EmptyDatabase } from "../../support/TestDatabase.ts"

const backupsDirectory = mkdtempSync(join(tmpdir(), "kinora-backups-"))
afterAll(() => rmSync(backupsDirectory, { recursive: true, force: true }))

const addAccount = Effect.fnUntraced(function* (name: string, hasUser: boolean) {
  const sql = yield* SqlClient
  const origin = "https://videos.example"
  yield* sql`
    with u as (
      insert into app_user (username, email, password_hash, role)
      select ${name}, ${`${name}@example.com`}, 'x', 2 where ${hasUser} returning id
    ), a as (
      insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
      values ('Person', ${name}, ${`${origin}/accounts/${name}`}, ${`${origin}/inbox`}, 'x', 'x') returning id
    )
    insert into account (actor_id, user_id, display_name) select a.id, u.id, ${name} from a left join u on true`
})

it.live("gives a Watch later to users who were there before, to those who come, and to no other account", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* migrate({ backupsDirectory, migrations: migrations.filter(({ id }) => id < 29) })
    yield* addAccount("before", true)
    yield* addAccount("nobody", false)
    yield* migrate({ backupsDirectory })
    yield* addAccount("after", true)
    const rows = yield* sql<{ owner: string; name: string; isRight: boolean }>`
      select a.display_name as owner, p.name, p.privacy = 3 and p.type = 2 and p.channel_id is null
        and p.url = 'https://videos.example/video-playlists/' || p.uuid as "isRight"
      from video_playlist p join account a on a.id = p.owner_account_id order by a.id`
    assert.deepStrictEqual(rows, [
      { owner: "before", name: "Watch later", isRight: true },
      { owner: "after", name: "Watch later", isRight: true }
    ])
  }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
)
