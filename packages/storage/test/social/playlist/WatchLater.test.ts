import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestDatabase } from "../../support/TestDatabase.ts"

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

layer(TestDatabase)("Watch later", (it) => {
  it.effect("comes with every account of a user, and with no other account", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* addAccount("one", true)
      yield* addAccount("nobody", false)
      yield* addAccount("other", true)
      const rows = yield* sql<{ owner: string; name: string; isRight: boolean }>`
        select a.display_name as owner, p.name, p.privacy = 3 and p.type = 2 and p.channel_id is null
          and p.url = 'https://videos.example/video-playlists/' || p.uuid as "isRight"
        from video_playlist p join account a on a.id = p.owner_account_id order by a.id`
      assert.deepStrictEqual(rows, [
        { owner: "one", name: "Watch later", isRight: true },
        { owner: "other", name: "Watch later", isRight: true }
      ])
    })
  )
})
