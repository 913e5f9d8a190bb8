import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { bare } from "./lib/Bare.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, login, start } from "./lib/Instance.ts"
import { afterLoads, load } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * Playlists: a list of 15 public ones of 200, places of one with 1,000 elements, and where 100 videos stand in 50
 * playlists of a user. Requests a second by 20 connections, beside a bare node:http server that answers the same bytes.
 */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into video_playlist (url, name, description, privacy, owner_account_id, channel_id, channel_position)
    select 'http://localhost/video-playlists/' || c.id || '/' || n, 'Playlist ' || n, 'About it', 1, c.account_id, c.id, n
    from (select * from video_channel order by id limit 100) c, generate_series(1, 2) n`
  yield* sql`
    insert into video_playlist (url, name, owner_account_id)
    select 'http://localhost/video-playlists/root/' || n, 'Mine ' || n, a.id
    from account a join app_user u on u.id = a.user_id and u.username = 'root', generate_series(1, 50) n`
  yield* sql`
    insert into video_playlist_element (playlist_id, video_id, position)
    select p.id, v.id, row_number() over (partition by p.id order by v.id) from video_playlist p, lateral (
      select id from video where id % 7 = p.id % 7 order by id limit 20
    ) v`
  const [large] = yield* sql<{ id: number }>`
    insert into video_playlist (url, name, privacy, owner_account_id)
    select 'http://localhost/video-playlists/large', 'Large', 2, min(id) from account where user_id is not null returning id`
  yield* sql`
    insert into video_playlist_element (playlist_id, video_id, position)
    select ${large!.id}, id, row_number() over (order by id) from video order by id limit 1000`
  const uuids = yield* sql<{ uuid: string }>`select uuid from video_playlist where id = ${large!.id}`
  const videos = yield* sql<{ id: number }>`select id from video order by id offset 120 limit 100`
  yield* sql`analyze video_playlist, video_playlist_element`
  return { large: uuids[0]!.uuid, videoIds: videos.map(({ id }) => `videoIds=${id}`).join("&") }
})

const data = freshDataDir()
const port = 9510
let instance = await start(data.dir, port)
try {
  const { large, videoIds } = await withDatabase(
    data.dir,
    Effect.andThen(seedVideos({ videos: 1_000, accounts: 100, files: 2 }), seed)
  )
  await instance.stop()
  instance = await start(data.dir, port)
  const auth = { authorization: `Bearer ${await login(instance.url)}` }
  const cases = [
    { name: "list of 15 playlists", path: "/api/v1/video-playlists?count=15", headers: {} },
    { name: "first 15 places of 1,000", path: `/api/v1/video-playlists/${large}/videos?count=15`, headers: {} },
    {
      name: "15 places from 900 on, logged in",
      path: `/api/v1/video-playlists/${large}/videos?count=15&start=900`,
      headers: auth
    },
    {
      name: "where 100 videos stand in 50 playlists",
      path: `/api/v1/users/me/video-playlists/videos-exist?${videoIds}`,
      headers: auth
    }
  ]
  const figures: Array<Figure> = []
  for (const { headers, name, path } of cases) {
    await afterLoads()
    const body = await (await fetch(instance.url + path, { headers })).text()
    load(instance.url + path, { headers, seconds: 3 })
    const ours = [1, 2, 3].map(() => load(instance.url + path, { headers, seconds: 5 }))
    ours.sort((a, b) => a.perSecond - b.perSecond)
    const median = ours[1]
    if (!median || ours.some((result) => result.failures > 0)) throw new Error(`${name}: failed requests`)
    const beside = await bare({ body }, port + 1)
    const bareResult = load(`${beside.url}/`, { seconds: 5 })
    beside.stop()
    figures.push({
      name,
      value: median.perSecond,
      unit: "requests/s",
      beside: { name: "bare node:http, same bytes (requests/s)", value: bareResult.perSecond },
      note: `p50 ${median.p50.toFixed(1)} ms, p99 ${median.p99.toFixed(1)} ms, ${body.length} bytes`
    })
  }
  write("playlists", figures, {
    data: "1,000 videos, 100 accounts, 251 playlists, one of them of 1,000 elements",
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on, no response cache"
  })
} finally {
  // Also when a figure could not be had: it would run on, and so would this.
  await instance.stop()
  data.remove()
}
