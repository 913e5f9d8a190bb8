import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { bare } from "./lib/Bare.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, login, residentMiB, start } from "./lib/Instance.ts"
import { load } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * Requests a second of the hot reads over 1,000 videos, 20 connections; beside each a bare node:http server that answers
 * the same bytes. There is no response cache: every list and video answer is read from PostgreSQL.
 */
const count = 1_000
const blocked = 50

/** The administrator blocks the first accounts of the seed. */
const blockAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into account_block (account_id, target_account_id)
    select mine.id, other.id
    from account mine join app_user u on u.id = mine.user_id and u.username = 'root'
    cross join lateral (select id from account where user_id is not null and id <> mine.id order by id limit ${blocked}) other
    on conflict do nothing`
})

/** Answers not made yet: a node makes them in the background once a mass of videos came in. */
const unready = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ left: number }>`
    select count(*)::int as left from video_read_model where summary is null or details is null`
  return rows[0]?.left ?? 0
})

const data = freshDataDir()
const port = 9470
try {
  let instance = await start(data.dir, port)
  await withDatabase(data.dir, Effect.andThen(seedVideos({ videos: count, accounts: 100, files: 5 }), blockAccounts))
  await instance.stop()
  instance = await start(data.dir, port)
  while ((await withDatabase(data.dir, unready)) > 0) await new Promise((next) => setTimeout(next, 500))
  const auth = { authorization: `Bearer ${await login(instance.url)}` }
  const list = await (await fetch(`${instance.url}/api/v1/videos?count=15`)).text()
  const first = (JSON.parse(list) as { total: number; data: ReadonlyArray<{ uuid: string }> }).data[0]
  const video = await (await fetch(`${instance.url}/api/v1/videos/${first?.uuid}`)).text()
  const activity = { accept: "application/activity+json" }
  const object = await (await fetch(`${instance.url}/videos/watch/${first?.uuid}`, { headers: activity })).text()
  const config = await (await fetch(`${instance.url}/api/v1/config`)).text()
  const cases = [
    { name: "list of 15, anonymous", path: "/api/v1/videos?count=15", headers: {}, goal: 4_000, body: list },
    {
      name: `list of 15, logged in, ${blocked} accounts blocked`,
      path: "/api/v1/videos?count=15",
      headers: auth,
      goal: 1_500,
      body: list
    },
    { name: "one video", path: `/api/v1/videos/${first?.uuid}`, headers: {}, goal: 4_000, body: video },
    {
      name: "one video, as other servers read it",
      path: `/videos/watch/${first?.uuid}`,
      headers: activity,
      goal: 4_000,
      body: object
    },
    { name: "config", path: "/api/v1/config", headers: {}, goal: 10_000, body: config }
  ]
  const figures: Array<Figure> = []
  for (const c of cases) {
    load(instance.url + c.path, { headers: c.headers, seconds: 3 })
    const ours = [1, 2, 3].map(() => load(instance.url + c.path, { headers: c.headers, seconds: 6 }))
    ours.sort((a, b) => a.perSecond - b.perSecond)
    const median = ours[1]
    if (!median || ours.some((r) => r.failures > 0)) throw new Error(`${c.name}: failed requests`)
    const beside = await bare({ body: c.body }, port + 1)
    const bareResult = load(`${beside.url}/`, { seconds: 5 })
    beside.stop()
    figures.push({
      name: c.name,
      value: median.perSecond,
      unit: "requests/s",
      goal: { kind: "at least", value: c.goal },
      beside: { name: "bare node:http, same bytes (requests/s)", value: bareResult.perSecond },
      note: `p50 ${median.p50.toFixed(1)} ms, p99 ${median.p99.toFixed(1)} ms, load generator ${median.loadCpu.toFixed(2)} cores, ${c.body.length} bytes`
    })
    if (c.name.startsWith("list of 15, anonymous")) {
      figures.push({
        name: "list of 15, anonymous: p99",
        value: median.p99,
        unit: "ms",
        goal: { kind: "at most", value: 20 }
      })
    }
  }
  figures.push({ name: "resident memory after the load", value: residentMiB(instance.pid), unit: "MiB" })
  await instance.stop()
  write("reading", figures, {
    data: `${count} videos, 100 accounts, 10 files each`,
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on, no response cache"
  })
} finally {
  data.remove()
}
