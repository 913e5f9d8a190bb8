import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { dataset } from "./dataset/Build.ts"
import { listRequests } from "./dataset/Mix.ts"
import { namesOf } from "./dataset/NamesOf.ts"
import { Random } from "./dataset/Random.ts"
import { fraction, million } from "./dataset/Size.ts"
import { Words } from "./dataset/Words.ts"
import { costOf } from "./lib/Cost.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, type Instance, password, residentMiB, root, start } from "./lib/Instance.ts"
import { mix, percentile } from "./lib/Mix.ts"
import { type Figure, write } from "./lib/Report.ts"
import { creates, type KeptCreate, type Publisher } from "./replay/Creates.ts"

/**
 * Creates of other instances applied, over the million videos of `dataset`, with lists asked for before, meanwhile and after:
 * `replay.ts [how many]`, KINORA_BENCH_REPLAY or 100,000 without; what is not applied within KINORA_BENCH_REPLAY_SECONDS (no
 * bound) is left out. How far it is stands on the error output. They are put into `inbox_activity` as accepting them would have, without signatures:
 * making these would take the cores from what is measured, and accepting is what `inbox` measures. It is done to a copy of the
 * data set (KINORA_BENCH_DATASET; KINORA_BENCH_REPLAY_FRACTION divides everything in it, for trying out).
 */
const count = Number(process.argv[2] ?? process.env["KINORA_BENCH_REPLAY"] ?? 100_000)
const divisor = Number(process.env["KINORA_BENCH_REPLAY_FRACTION"] ?? 1)
const seconds = Number(process.env["KINORA_BENCH_SECONDS"] ?? 60)
const port = 9480
const size = divisor === 1 ? million : fraction(million, divisor)
const folder =
  process.env["KINORA_BENCH_DATASET"] ?? join(root, divisor === 1 ? ".cache/dataset" : `.cache/dataset-${divisor}`)
const clients = 4
/** Of all, comments below videos of this instance; the others are videos. */
const comments = 0.3
const hosts = 200
/** So many are put at once, and as many wait at least: hosts are woken every ten seconds, and have work until then. */
const chunk = Math.min(20_000, count)
/** What is begun after so many seconds is not put any more. */
const patience = Number(process.env["KINORA_BENCH_REPLAY_SECONDS"] ?? Number.POSITIVE_INFINITY)
/** Seconds between two lines that tell how far it is. */
const sayEvery = 15

interface Progress {
  readonly waiting: number
  readonly refused: number
}

const over = <A, E>(effect: Effect.Effect<A, E, SqlClient>) => withDatabase(data.dir, effect)

/** Who publishes, and videos of ours that are commented on. They are as new as if they had been fetched today. */
const people = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into remote_actor (actor_id) select id from actor where server_id is not null
    on conflict (actor_id) do update set fetched_at = now()`
  const publishers = yield* sql<Publisher>`
    with blocks as materialized (
      select c.id from account c join actor a on a.id = c.actor_id where a.type = 'Application' and a.server_id is null
    )
    select s.host::text as host, c.url as channel, p.url as account
    from (select id, host from server order by id limit ${hosts}) s
      join actor p on p.server_id = s.id and p.type = 'Person' join account a on a.actor_id = p.id
      join lateral (select r.url from video_channel v join actor r on r.id = v.actor_id
        where v.account_id = a.id order by v.id limit 1) c on true
    where not exists (select from blocks b join account_block x on x.account_id = b.id and x.target_account_id = a.id)
      and not exists (select from blocks b join server_block x on x.account_id = b.id and x.server_id = s.id)
    order by p.id limit 20000`
  const ours = yield* sql<{ url: string }>`
    select url from video where not remote and listed and comments_policy = 1 order by id desc limit 5000`
  yield* sql.unsafe("analyze remote_actor")
  return { publishers, ours: ours.map(({ url }) => url) }
})

const put = (rows: ReadonlyArray<KeptCreate>) =>
  Effect.flatMap(
    SqlClient,
    (sql) =>
      sql`
      insert into inbox_activity (uri, type, host, actor_url, object, body, digest, bytes)
      select n.uri, 'Create', n.host, n.actor, n.object, n.body::jsonb, md5(n.uri), octet_length(n.body)
      from unnest(${rows.map((it) => it.uri)}::text[], ${rows.map((it) => it.host)}::text[],
        ${rows.map((it) => it.actor)}::text[], ${rows.map((it) => it.object)}::text[], ${rows.map((it) => it.body)}::text[]
      ) n (uri, host, actor, object, body)`
  )

const progress = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<Progress>`
      select (select count(*) from inbox_activity where state = 'waiting') as waiting,
        (select count(*) from inbox_activity where state = 'refused') as refused`,
    (rows) => rows[0]!
  )
)

/** What a node that has just been started has to do over this data: answers to make ready, and what follows list. */
const unready = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ left: boolean }>`
      select exists (select 1 from video_read_model where summary is null or details is null)
        or exists (select 1 from actor_read_model where text is null) or exists (select 1 from listing_change) as left`,
    (rows) => rows[0]!.left
  )
)

const say = (text: string) => process.stderr.write(`${text}\n`)

const wait = (millis: number) => new Promise((next) => setTimeout(next, millis))

const built = await Effect.runPromise(dataset({ folder, size, origin: `http://127.0.0.1:${port}`, password }))
if (built > 0) console.log(`The data set was made in ${built.toFixed(0)} s.`)
const data = freshDataDir()
let instance: Instance | undefined
try {
  // Its files belong to several users.
  execFileSync("cp", ["-a", "--reflink=auto", `${folder}/.`, data.dir])
  instance = await start(data.dir, port)
  const { pid, url } = instance
  const names = await namesOf(url, size)
  const requests = listRequests(names)
  const { ours, publishers } = await over(people)
  say("Waiting until the node has done what it does once ...")
  while (await over(unready)) await wait(1_000)
  const random = new Random(7)
  const words = new Words(new Random(20_261_121))
  const next = creates({ random, words, publishers, ours, tags: names.tags.slice(0, 5_000), comments })
  const lists = async (duration = seconds) =>
    (await mix(url, requests, { clients, seconds: duration })).flatMap(({ times }) => times).toSorted((a, b) => a - b)

  // Each query for the first time counts what it finds: that is not what is compared.
  await mix(url, requests, { clients: 1, seconds: 0 })
  const before = await lists()
  const told = (times: ReadonlyArray<number>) =>
    [0.5, 0.95, 0.99]
      .map((part) => {
        const value = percentile(times, part)
        return `p${part * 100} ${value.toFixed(1)} ms (${(value / percentile(before, part)).toFixed(2)})`
      })
      .join(", ")
  say(`Lists before: ${told(before)}`)

  let given = 0
  let ended = false
  const feed = async (): Promise<Progress> => {
    const now = await over(progress)
    if ((performance.now() - from) / 1000 > patience) ended = true
    if (now.waiting >= chunk || given >= count || ended) return now
    const rows = Array.from({ length: Math.min(chunk, count - given) }, next)
    await over(put(rows))
    given += rows.length
    return { ...now, waiting: now.waiting + rows.length }
  }
  const costBefore = costOf(instance)
  const from = performance.now()
  const samples: Array<{ readonly at: number; readonly applied: number; readonly listed: boolean }> = []
  let listed = false
  const during: Array<number> = []
  let said = { at: 0, applied: 0 }
  const sample = async () => {
    const { refused, waiting } = await feed()
    const at = (performance.now() - from) / 1000
    const applied = given - waiting
    samples.push({ at, applied, listed })
    if (at - said.at >= sayEvery) {
      const rate = (applied - said.applied) / (at - said.at)
      const times = during.toSorted((a, b) => a - b)
      const asked = times.length > 0 ? `; lists meanwhile: ${told(times)}` : ""
      say(`${at.toFixed(0)} s: ${applied} of ${count}, ${rate.toFixed(0)}/s, ${refused} refused${asked}`)
      said = { at, applied }
    }
    return !ended && (given < count || waiting > 0)
  }
  // Lists are asked for half of the time, so that both rates are known.
  const asking = (async () => {
    for (;;) {
      await wait((seconds * 1000) / 2)
      if (ended || (samples.length > 0 && samples.at(-1)!.applied >= count)) return
      listed = true
      during.push(...(await lists(seconds / 2)))
      listed = false
    }
  })()
  while (await sample()) await wait(500)
  const took = (performance.now() - from) / 1000
  const applied = samples.at(-1)!.applied
  const costAfter = costOf(instance)
  await asking
  // What was put and not applied in time is nobody's any more.
  if (ended) await over(Effect.flatMap(SqlClient, (sql) => sql`delete from inbox_activity where state = 'waiting'`))
  while (await over(unready)) await wait(1_000)
  const after = await lists()
  say(`Lists after: ${told(after)}`)
  const end = await over(progress)
  const memory = residentMiB(pid)
  await instance.stop()

  const rate = (withLists: boolean) => {
    let applied = 0
    let time = 0
    for (const [n, one] of samples.entries()) {
      const last = samples[n - 1]
      if (last === undefined || one.listed !== withLists || last.listed !== withLists) continue
      applied += one.applied - last.applied
      time += one.at - last.at
    }
    return applied / time
  }
  during.sort((a, b) => a - b)
  const work = (name: "node" | "database") => (((costAfter[name] - costBefore[name]) / applied) * 1000).toFixed(2)
  const share = (name: string, times: ReadonlyArray<number>): ReadonlyArray<Figure> =>
    [0.5, 0.95, 0.99].map((part) => ({
      name: `lists ${name}: p${part * 100}`,
      value: percentile(times, part),
      unit: "ms",
      ...(part === 0.99 && name === "meanwhile"
        ? { goal: { kind: "at most", value: 2 * percentile(before, 0.99) } as const }
        : part === 0.99 && name === "after"
          ? { goal: { kind: "at most", value: 150 } as const }
          : {}),
      note: `${(percentile(times, part) / percentile(before, part)).toFixed(2)} of before, ${times.length} requests`
    }))
  write(
    "replay",
    [
      {
        name: `${applied} Creates applied`,
        value: applied / took,
        unit: "/s",
        goal: { kind: "at least", value: 278 },
        note: `${took.toFixed(0)} s, ${end.refused} refused; work of one, lists included: node ${work("node")} ms, database ${work("database")} ms`
      },
      { name: "without lists", value: rate(false), unit: "/s" },
      { name: "while lists are asked for", value: rate(true), unit: "/s" },
      { name: "of a million, hours", value: 1e6 / (applied / took) / 3600, unit: "h" },
      ...share("before", before),
      ...share("meanwhile", during),
      ...share("after", after),
      { name: "resident memory after it", value: memory, unit: "MiB" }
    ],
    {
      activities: `${(100 - comments * 100).toFixed(0)} % videos of ${publishers.length} channels of ${hosts} hosts, ${(comments * 100).toFixed(0)} % comments on ${ours.length} videos of ours; rows put into the inbox, not posted`,
      data: divisor === 1 ? "1,000,000 federated and 20,000 local videos" : `a ${divisor}th of 1,020,000 videos`,
      lists: `${clients} clients, ${requests.length} queries (scripts/benchmarks/dataset/Mix.ts), half of the time meanwhile`,
      database: "embedded PostgreSQL with its defaults: fsync, full_page_writes and synchronous_commit on"
    }
  )
} finally {
  if (instance !== undefined) await instance.stop().catch(() => undefined)
  data.remove()
}
