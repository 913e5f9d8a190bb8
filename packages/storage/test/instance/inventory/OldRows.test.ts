import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { OldRows } from "../../../src/instance/inventory/OldRows.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(OldRows.layer.pipe(Layer.provideMerge(TestDatabase)))("OldRows", (it) => {
  it.effect("go when they are too old, and no other does", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { remove } = yield* OldRows
      yield* seedVideos({ videos: 1, accounts: 1 })
      yield* sql`insert into app_user (username, email, password_hash, role) values ('old', 'old@example.com', 'x', 2)`
      yield* sql`insert into channel_activity (channel_id, action, target_type, created_at)
        select c.id, 1, 1, now() - make_interval(days => days)
        from (select id from video_channel limit 1) c, unnest(array[1, 364, 366, 2000]) days`
      yield* sql`insert into video_import (user_id, state, video_id, updated_at)
        select u.id, state, video_id, now() - make_interval(days => days)
        from (select id from app_user where username = 'old') u, (select id as video_id from video limit 1) v,
          (values (3, 200), (3, 100), (1, 200), (2, 200)) i (state, days)`
      yield* sql`insert into user_import (uuid, user_id, filename, size, state, updated_at)
        select gen_random_uuid(), u.id, 'a.zip', 1, 3, now() - make_interval(days => days)
        from (select id from app_user where username = 'old') u, unnest(array[100, 400]) days`
      yield* sql`insert into user_import_item (user_id, import_id, section, source, created_at)
        select u.id, 1, 'videos', days::text, now() - make_interval(days => days)
        from (select id from app_user where username = 'old') u, unnest(array[100, 400]) days`
      yield* sql`delete from video_view_day`
      yield* sql`insert into video_view_day (video_id, day, views)
        select v.id, current_date - days, 1 from (select id from video limit 1) v, unnest(array[1, 390, 402]) days`
      yield* sql`insert into video_comment (url, video_id, text, deleted_at)
        select 'https://videos.example/' || days, v.id, '', now() - make_interval(days => days)
        from (select id from video limit 1) v, unnest(array[1, 29, 31]) days`
      yield* sql`insert into replaced_video_file (filename, video_id, resolution, kept_until)
        select days || '.mp4', v.id, 720, now() + make_interval(days => days)
        from (select id from video limit 1) v, unnest(array[-1, 1]) days`
      assert.strictEqual(yield* remove, 2 + 1 + 1 + 1 + 1 + 1 + 1)
      assert.strictEqual(yield* remove, 0)
      const [left] = yield* sql`select (select count(*) from channel_activity) as activities,
        (select count(*) from video_import) as imports, (select count(*) from user_import) as archives,
        (select count(*) from user_import_item) as items, (select count(*) from video_view_day) as days,
        (select count(*) from video_comment) as comments, (select count(*) from replaced_video_file) as files`
      assert.deepStrictEqual(left, {
        ...{ activities: 2, imports: 3, archives: 1, items: 1, days: 2 },
        ...{ comments: 2, files: 1 }
      })
    })
  )
})
