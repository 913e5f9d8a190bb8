import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, login, start } from "./lib/Instance.ts"
const data = freshDataDir()
const port = 9580
const comments = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`insert into video_comment (id, url, video_id, account_id, origin_comment_id, in_reply_to_comment_id, text, created_at)
    overriding system value
    select v.id * 1000 + n, 'http://localhost/comments/' || v.id || '/' || n, v.id,
      (select a.id from account a where a.user_id is not null order by a.id offset n % 100 limit 1),
      case when n > 30 then v.id * 1000 + 1 + n % 30 end, case when n > 30 then v.id * 1000 + 1 + n % 30 end, repeat('Words about a video. ', 1 + n % 12), now() - make_interval(secs => 50 - n)
    from generate_series(1, 50) n cross join (select id from video where listed order by id desc limit 1) v`
  yield* sql`analyze`
  const [row] = yield* sql<{ uuid: string }>`select uuid from video where listed order by id desc limit 1`
  return row!.uuid
})
const unready = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{
    left: number
  }>`select count(*)::int as left from video_read_model where summary is null or details is null`
  return rows[0]?.left ?? 0
})
try {
  let instance = await start(data.dir, port)
  const uuid = await withDatabase(
    data.dir,
    Effect.andThen(seedVideos({ videos: 1000, accounts: 100, files: 5 }), comments)
  )
  await instance.stop()
  instance = await start(data.dir, port)
  while ((await withDatabase(data.dir, unready)) > 0) await new Promise((next) => setTimeout(next, 500))
  console.log("READY " + JSON.stringify({ url: instance.url, uuid, token: await login(instance.url) }))
  await new Promise((end) => process.stdin.on("end", end).resume())
  await instance.stop()
} finally {
  data.remove()
}
