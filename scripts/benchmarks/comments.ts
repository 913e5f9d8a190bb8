import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { bare } from "./lib/Bare.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, login, start } from "./lib/Instance.ts"
import { afterLoads, load } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * Comments: threads of videos with 50 comments, requests a second by 20 connections beside a bare node:http server that
 * answers the same bytes; first pages where 10,000 comments are one thread, and where they are threads of their own. Every
 * answer is read from PostgreSQL.
 */
const many = 10_000
const blocked = 50
const talked = 10
const asked = 400

/** 50 comments in 30 threads on each of ten videos; 10,000 in one thread, three levels deep; 10,000 threads. */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  const videos = yield* sql<{
    id: number
    uuid: string
  }>`select id, uuid from video where listed order by id limit ${2 + talked}`
  const text = sql`repeat('Words about a video. ', 1 + n % 12)`
  const write = (id: number, count: number, parent: Fragment) => sql`
    insert into video_comment (id, url, video_id, account_id, origin_comment_id, in_reply_to_comment_id, text, created_at)
    overriding system value
    select ${id} * 100000 + n, 'http://localhost/comments/' || ${id} || '/' || n, ${id},
      (select a.id from account a where a.user_id is not null order by a.id offset n % 100 limit 1),
      case when ${parent} is not null then ${id} * 100000 + 1 + (case when ${count} = 50 then n % 30 else 0 end) end,
      ${id} * 100000 + (${parent}), ${text}, now() - make_interval(secs => ${count} - n)
    from generate_series(1, ${count}::integer) n`
  const [deep, wide, ...some] = videos
  for (const { id } of some) yield* write(id, 50, sql`case when n > 30 then 1 + n % 30 end`)
  // A thousand direct replies, the others to one of these or to a reply to one of these.
  yield* write(deep!.id, many, sql`case when n > 1 then case when n <= 1001 then 1 else n / 10 end end`)
  yield* write(wide!.id, many, sql`null::integer`)
  yield* sql`update video_comment c set
    children = (select count(*) from video_comment r where r.in_reply_to_comment_id = c.id),
    replies = (select count(*) from video_comment r where r.origin_comment_id = c.id)`
  yield* sql`update video v set comments = (select count(*) from video_comment c where c.video_id = v.id)
    where id in ${sql.in(videos.map((video) => video.id))}`
  yield* sql`
    insert into account_block (account_id, target_account_id)
    select mine.id, other.id
    from account mine join app_user u on u.id = mine.user_id and u.username = 'root'
    cross join lateral (select id from account where user_id is not null and id <> mine.id order by id desc limit ${blocked}) other
    on conflict do nothing`
  yield* sql`analyze video_comment`
  return { some: some.map(({ uuid }) => uuid), deep: deep!.uuid, wide: wide!.uuid, root: deep!.id * 100_000 + 1 }
})

/** Milliseconds within which 95 of 100 answers are there, asked for one after the other. */
const p95 = async (
  url: string,
  headers: Record<string, string>
): Promise<{ p95: number; p50: number; bytes: number }> => {
  const times: Array<number> = []
  let bytes = 0
  for (let n = 0; n < asked + 50; n++) {
    const from = performance.now()
    const answer = await fetch(url, { headers })
    const body = await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
    bytes = body.byteLength
    if (n >= 50) times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  return { p95: times[Math.floor(asked * 0.95)]!, p50: times[Math.floor(asked / 2)]!, bytes }
}

const data = freshDataDir()
const port = 9490
let instance = await start(data.dir, port)
try {
  const { deep, root, some, wide } = await withDatabase(
    data.dir,
    Effect.andThen(seedVideos({ videos: 50, accounts: 100, files: 2 }), seed)
  )
  await instance.stop()
  instance = await start(data.dir, port)
  const auth = { authorization: `Bearer ${await login(instance.url)}` }
  const figures: Array<Figure> = []

  const paths = some.map((uuid) => `/api/v1/videos/${uuid}/comment-threads`)
  const path = paths[0]!
  const inTurn = `
    local paths, n = { ${paths.map((it) => `"${it}"`).join(", ")} }, 0
    request = function() n = n % #paths + 1 return wrk.format("GET", paths[n]) end
  `
  const body = await (await fetch(instance.url + path)).text()
  const beside = await bare({ body }, port + 1)
  const bareResult = load(`${beside.url}/`, { seconds: 5 })
  beside.stop()
  for (const [who, headers, goal, script] of [
    ["anonymous", {}, 3_000, ""],
    [`anonymous, ${talked} such videos in turn`, {}, 3_000, inTurn],
    [`logged in, ${blocked} accounts blocked`, auth, 1_200, ""]
  ] as const) {
    load(instance.url + path, { headers, script, seconds: 3 })
    const ours = [1, 2, 3].map(() => load(instance.url + path, { headers, script, seconds: 6 }))
    ours.sort((a, b) => a.perSecond - b.perSecond)
    const median = ours[1]!
    if (ours.some((it) => it.failures > 0)) throw new Error(`threads, ${who}: failed requests`)
    figures.push({
      name: `threads of a video with 50 comments, ${who}`,
      value: median.perSecond,
      unit: "requests/s",
      goal: { kind: "at least", value: goal },
      beside: { name: "bare node:http, same bytes (requests/s)", value: bareResult.perSecond },
      note: `p50 ${median.p50.toFixed(1)} ms, p99 ${median.p99.toFixed(1)} ms, load generator ${median.loadCpu.toFixed(2)} cores, ${body.length} bytes`
    })
  }

  await afterLoads()
  const pages: ReadonlyArray<readonly [name: string, path: string, headers: Record<string, string>]> = [
    ["a thread of 10,000: its tree", `/${deep}/comment-threads/${root}`, {}],
    ["a thread of 10,000: its tree, blocks", `/${deep}/comment-threads/${root}`, auth],
    ["a thread of 10,000: replies 900 to 915", `/${deep}/comments/${root}/replies?start=900`, {}],
    ["a thread of 10,000: the list", `/${deep}/comment-threads`, {}],
    ["10,000 threads: the newest", `/${wide}/comment-threads`, {}],
    ["10,000 threads: most replies first", `/${wide}/comment-threads?sort=-totalReplies`, {}],
    ["10,000 threads: the newest, blocks", `/${wide}/comment-threads`, auth]
  ]
  for (const [name, page, headers] of pages) {
    const found = await p95(`${instance.url}/api/v1/videos${page}`, headers)
    figures.push({
      name: `${name}: p95`,
      value: found.p95,
      unit: "ms",
      goal: { kind: "at most", value: 20 },
      note: `p50 ${found.p50.toFixed(1)} ms, ${found.bytes} bytes`
    })
  }
  write("comments", figures, {
    data: "50 videos, 100 accounts; 50, 10,000 and 10,000 comments",
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on, no response cache"
  })
} finally {
  // Also when a figure could not be had: it would run on, and so would this.
  await instance.stop()
  data.remove()
}
