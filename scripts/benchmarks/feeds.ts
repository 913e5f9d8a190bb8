import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { bare } from "./lib/Bare.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, start } from "./lib/Instance.ts"
import { afterLoads, load, type LoadResult } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * Feeds of 20 videos: unchanged ones, whole and as 304, by 20 connections beside a bare node:http server that answers the
 * same bytes; and how long one takes that has to be read and written again, one request after the other with a change
 * before each.
 */
const rebuilds = 300

const textAt = async (url: string): Promise<string> => await (await fetch(url)).text()

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    update video set description = repeat('Words about a **video**, with a link to https://videos.example/page. ', 12)`
  yield* sql`analyze`
  const [row] = yield* sql<{ id: number; channelId: number }>`
    select id, channel_id as "channelId" from video where listed and not remote order by published_at desc limit 1`
  return row!
})

/** Read models are filled after a start: until then, each feed would make its own texts. */
const ready = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (;;) {
    const missing = yield* sql`select 1 from video_read_model where summary is null or details is null limit 1`
    if (missing.length === 0) return
    yield* Effect.sleep("200 millis")
  }
})

const data = freshDataDir()
const port = 9494
let instance = await start(data.dir, port)
try {
  const video = await withDatabase(
    data.dir,
    Effect.andThen(seedVideos({ videos: 2_000, accounts: 20, files: 2 }), prepare)
  )
  await instance.stop()
  instance = await start(data.dir, port)
  await withDatabase(data.dir, ready)
  const figures: Array<Figure> = []

  const feeds = await Promise.all(
    (
      [
        ["RSS", "/feeds/videos.xml"],
        ["Atom", "/feeds/videos.atom"],
        ["podcast", `/feeds/podcast/videos.xml?videoChannelId=${video.channelId}`]
      ] as const
    ).map(async ([name, path]) => {
      const url = instance.url + path
      const answer = await fetch(url)
      return { name, url, body: await answer.text(), etag: answer.headers.get("etag") ?? "" }
    })
  )
  const cases = feeds.flatMap((feed) => [
    { ...feed, kind: "whole", headers: {}, ours: new Array<LoadResult>() },
    { ...feed, kind: "304", headers: { "if-none-match": feed.etag }, ours: new Array<LoadResult>() }
  ])
  // In rounds: what is measured first would else be measured while the program is still being compiled.
  for (const { headers, url } of cases) load(url, { headers, seconds: 3 })
  for (let round = 0; round < 3; round++) {
    for (const { headers, ours, url } of cases) ours.push(load(url, { headers, seconds: 5 }))
  }
  for (const { body, kind, name, ours } of cases) {
    const beside = await bare({ body }, port + 1)
    const bareResult = load(`${beside.url}/`, { seconds: 3 })
    beside.stop()
    ours.sort((a, b) => a.perSecond - b.perSecond)
    const median = ours[1]!
    if (ours.some((it) => it.failures > 0)) throw new Error(`${name}, ${kind}: failed requests`)
    figures.push({
      name: `${name} of 20 videos, unchanged, ${kind}`,
      value: median.perSecond,
      unit: "requests/s",
      goal: { kind: "at least", value: 3_000 },
      beside: { name: "bare node:http, same bytes (requests/s)", value: bareResult.perSecond },
      note: `p50 ${median.p50.toFixed(1)} ms, p99 ${median.p99.toFixed(1)} ms, load generator ${median.loadCpu.toFixed(2)} cores, ${body.length} bytes`
    })
  }

  await afterLoads()
  const times = await withDatabase(
    data.dir,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const taken: Array<number> = []
      for (let n = 0; n < rebuilds + 20; n++) {
        yield* sql`update video set name = ${`Changed ${n}`} where id = ${video.id}`
        const from = performance.now()
        const text = yield* Effect.promise(() => textAt(`${instance.url}/feeds/videos.xml`))
        if (!text.includes(`Changed ${n}<`)) return yield* Effect.die(`change ${n} is not told`)
        if (n >= 20) taken.push(performance.now() - from)
      }
      return taken.sort((a, b) => a - b)
    })
  )
  figures.push({
    name: "RSS of 20 videos, read and written again: p95",
    value: times[Math.floor(rebuilds * 0.95)]!,
    unit: "ms",
    goal: { kind: "at most", value: 15 },
    note: `p50 ${times[Math.floor(rebuilds / 2)]!.toFixed(1)} ms`
  })
  write("feeds", figures, {
    data: "2,000 videos of 20 accounts, 2 files each, descriptions of 800 characters",
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on"
  })
} finally {
  // Also when a figure could not be had: it would run on, and so would this.
  await instance.stop()
  data.remove()
}
