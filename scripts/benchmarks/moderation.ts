import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { bare } from "./lib/Bare.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, login, start } from "./lib/Instance.ts"
import { afterLoads, load } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * What moderation costs: reads beside 100,000 blocks of the instance and 2,000 mutes of the reader, readers while a block list of
 * 10,000 hosts is applied, and comments beside 200 lists of watched words. Each beside the same without.
 */
const blocks = 50_000
const mutes = 2_000
const listed = 10_000
const lists = 200
const wordsOfList = 50
const comments = 150

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [video] = yield* sql<{ id: number; uuid: string }>`select id, uuid from video where listed order by id limit 1`
  yield* sql`
    insert into video_comment (url, video_id, account_id, text, created_at)
    select 'http://localhost/comments/' || n, ${video!.id},
      (select a.id from account a where a.user_id is not null order by a.id offset n % 100 limit 1),
      repeat('Words about a video. ', 1 + n % 12), now() - make_interval(secs => 50 - n)
    from generate_series(1, 50) n`
  yield* sql`update video set comments = 50 where id = ${video!.id}`
  return video!.uuid
})

/** So many servers, each with an account; half as many blocks of each kind by the instance, and mutes of the administrator. */
const block = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`insert into server (host) select 'blocked-' || n || '.example' from generate_series(1, ${blocks}::integer) n`
  yield* sql`
    insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
    select 'Person', 'somebody', id, 'https://' || host || '/a', 'https://' || host || '/i', 'k'
    from server where host like 'blocked-%'`
  yield* sql`
    insert into account (actor_id, display_name)
    select a.id, 'Somebody' from actor a join server s on s.id = a.server_id where s.host like 'blocked-%'`
  const instance = sql`(select o.id from account o join actor a on a.id = o.actor_id and a.id = instance_actor())`
  yield* sql`insert into server_block (account_id, server_id) select ${instance}, id from server where host like 'blocked-%'`
  const others = sql`
    select o.id from account o join actor a on a.id = o.actor_id join server s on s.id = a.server_id
    where s.host like 'blocked-%'`
  yield* sql`insert into account_block (account_id, target_account_id) select ${instance}, o.id from (${others}) o`
  yield* sql`
    insert into account_block (account_id, target_account_id)
    select mine.id, o.id from account mine join app_user u on u.id = mine.user_id and u.username = 'root',
      (${others} order by o.id limit ${mutes}) o`
  yield* sql`analyze`
})

const applied = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ seconds: number | null; entries: number }>`
    select extract(epoch from s.last_sync_at - s.created_at)::float8 as seconds,
      (select count(*)::integer from blocklist_entry) as entries
    from blocklist_subscription s where s.state = 2 or s.last_sync_at is not null`
  return rows[0]
})

const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!

const data = freshDataDir()
const port = 9495
const env = {
  KINORA_FEDERATION_ONLY_LOOPBACK: "true",
  KINORA_RATES_LIMIT_CREATE_COMMENT_MAX: "100000"
}
let instance = await start(data.dir, port, env)
try {
  const uuid = await withDatabase(
    data.dir,
    Effect.andThen(seedVideos({ videos: 1_000, accounts: 100, files: 5 }), seed)
  )
  await instance.stop()
  instance = await start(data.dir, port, env)
  const auth = { authorization: `Bearer ${await login(instance.url)}` }
  const json = { ...auth, "content-type": "application/json" }
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(instance.url + path, { method: "POST", headers: json, body: JSON.stringify(body) })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }

  const cases: ReadonlyArray<readonly [name: string, path: string, headers: Record<string, string>]> = [
    ["list, anonymous", "/api/v1/videos?count=15", {}],
    ["list, who mutes", "/api/v1/videos?count=15", auth],
    ["search, anonymous", "/api/v1/search/videos?search=video&count=15", {}],
    ["search, who mutes", "/api/v1/search/videos?search=video&count=15", auth],
    ["threads, anonymous", `/api/v1/videos/${uuid}/comment-threads`, {}],
    ["threads, who mutes", `/api/v1/videos/${uuid}/comment-threads`, auth]
  ]
  const measure = () =>
    cases.map(([name, path, headers]) => {
      load(instance.url + path, { headers, seconds: 2 })
      const runs = [1, 2, 3].map(() => load(instance.url + path, { headers, seconds: 4 }))
      if (runs.some(({ failures }) => failures > 0)) throw new Error(`${name}: failed requests`)
      return median(runs.map(({ perSecond }) => perSecond))
    })
  const without = measure()
  const quiet = load(`${instance.url}/api/v1/videos?count=15`, { seconds: 6, connections: 4 })
  await withDatabase(data.dir, block)
  const beside = measure()
  console.log(
    cases.map(([name], nth) => `${name}: ${without[nth]!.toFixed(0)} → ${beside[nth]!.toFixed(0)}`).join("\n")
  )
  const figures: Array<Figure> = cases.map(([name], nth) => ({
    name: `${name}: time of an answer beside ${2 * blocks} blocks and ${mutes} mutes`,
    value: without[nth]! / beside[nth]!,
    unit: "x",
    goal: { kind: "at most", value: 1.2 },
    note: `${without[nth]!.toFixed(0)} requests/s without, ${beside[nth]!.toFixed(0)} with`
  }))

  const actions = Array.from({ length: listed }, (_, n) => ({
    type: "block",
    target: `listed-${n}.example`,
    createdAt: "2026-01-01T00:00:00.000Z"
  }))
  const list = join(data.dir, "listed.json")
  writeFileSync(list, JSON.stringify({ name: "Listed", actions }))
  const publisher = await bare({ json: list }, port + 1)
  await afterLoads()
  await post("/api/v1/server/blocklist/subscriptions", { url: `${publisher.url}/list.json` })
  const meanwhile = load(`${instance.url}/api/v1/videos?count=15`, { seconds: 6, connections: 4 })
  const result = await withDatabase(data.dir, applied)
  publisher.stop()
  if (result === undefined || result.seconds === null || result.entries !== listed) {
    throw new Error("the list was not applied in six seconds")
  }
  figures.push(
    {
      name: `a block list of ${listed} hosts, from the request to its end, under load`,
      value: result.seconds,
      unit: "s",
      goal: { kind: "at most", value: 5 }
    },
    {
      name: "p99 of lists meanwhile, beside that of before",
      value: meanwhile.p99 / quiet.p99,
      unit: "x",
      goal: { kind: "at most", value: 2 },
      note: `${quiet.p99.toFixed(1)} ms before, ${meanwhile.p99.toFixed(1)} ms meanwhile, 4 connections`
    }
  )

  await afterLoads()
  const text = "Some words that nobody watches for. ".repeat(80)
  const comment = async (n: number) => {
    const from = performance.now()
    await post(`/api/v1/videos/${uuid}/comment-threads`, { text: `${n} ${text}` })
    return performance.now() - from
  }
  const commented = async () => {
    for (let n = 0; n < 20; n++) await comment(n)
    const times: Array<number> = []
    for (let n = 0; n < comments; n++) times.push(await comment(n))
    return median(times)
  }
  const plain = await commented()
  for (let n = 0; n < lists; n++) {
    await post("/api/v1/watched-words/server/lists", {
      listName: `List ${n}`,
      words: Array.from({ length: wordsOfList }, (_, word) => `watched${n}x${word}`)
    })
  }
  const watched = await commented()
  figures.push({
    name: `a comment of ${text.length} letters beside ${lists} lists of ${wordsOfList} words`,
    value: watched / plain,
    unit: "x",
    goal: { kind: "at most", value: 1.3 },
    note: `median ${plain.toFixed(1)} ms without, ${watched.toFixed(1)} ms with`
  })
  write("moderation", figures, {
    data: `1,000 videos, 100 accounts, 50 comments; ${blocks} servers and ${blocks} accounts blocked`,
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on"
  })
} finally {
  await instance.stop()
  data.remove()
}
