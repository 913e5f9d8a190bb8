/**
 * Lists and the inbox of one instance at one, two and three nodes over one PostgreSQL. A machine has few cores: each node gets a fixed
 * share of one (KINORA_BENCH_NODES_SHARE, 0.2) by a control group, PostgreSQL and who asks have the rest, and all of them go before others. So many nodes have so many times
 * the processor time, and what they do with it shows what they share. Up and down again, KINORA_BENCH_RUNS (1) times; needs root.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { firstNode, furtherNode } from "../../packages/node/test/support/ClusterOf.ts"
import { openDatabase } from "../../packages/node/test/support/EmbeddedServer.ts"
import { freePort, until } from "../../packages/node/test/support/KinoraProcess.ts"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { costOfAll } from "./lib/Cost.ts"
import { type CpuShare, cpuShare } from "./lib/CpuShare.ts"
import type { Sent, Signed } from "./lib/InboxPeer.ts"
import { inboxPeer } from "./lib/InboxPeers.ts"
import { residentMiB } from "./lib/Instance.ts"
import { load, loading } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

const share = Number(process.env["KINORA_BENCH_NODES_SHARE"] ?? 0.2)
const runs = Number(process.env["KINORA_BENCH_RUNS"] ?? 1)
const seconds = Number(process.env["KINORA_BENCH_NODES_SECONDS"] ?? 8)
const most = 3
/** Of each node. */
const connections = 8
/** Of each node, over which activities come. */
const senders = 20
/** Instances that send, and their people. */
const hosts = 60
const people = 240
/** Activities for each node. */
const counts: Readonly<Record<Signed, number>> = { Like: 4_000, Create: 1_200 }

type Node = Awaited<ReturnType<typeof firstNode>>
interface Running extends Node {
  readonly group: CpuShare
}

/** What so many nodes did. Per second, and processor milliseconds of one. */
interface Measured {
  readonly kind: string
  readonly nodes: number
  readonly perSecond: number
  readonly node: number
  readonly database: number
  /** Of the processor time that the nodes may have. */
  readonly used: number
  readonly databaseCores: number
  readonly errors: number
}

const env = {
  KINORA_LOG_LEVEL: "warn",
  ...Object.fromEntries(
    ["API", "LOGIN", "WELL_KNOWN", "FEEDS", "ACTIVITY_PUB", "CLIENT"].map((it) => [
      `KINORA_RATES_LIMIT_${it}_MAX`,
      "100000000"
    ])
  )
}

const pidOf = ({ node }: Node): number => node.child?.pid ?? 0
const shareOf = (node: Node, name: string): Running => {
  const group = cpuShare(name)
  group.add(pidOf(node))
  return { ...node, group }
}

/** PostgreSQL, which the first node starts, and who asks. */
const others = cpuShare("others")
others.add(process.pid)
const far = inboxPeer()
const first = shareOf(await firstNode(env), "node-1")
const running: Array<Running> = [first]
const dataDir = first.node.dataDir
const database = openDatabase(dataDir)
const rows = <A extends object>(query: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
  database.runPromise(Effect.flatMap(SqlClient, query))

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* seedVideos({ videos: 2_000, accounts: 100, files: 2 })
  yield* sql`update video set url = ${first.node.url} || '/videos/watch/' || uuid, likes = 0`
  const all = yield* sql<{ id: number; url: string; uuid: string }>`select id, url, uuid from video order by id`
  yield* sql`
    insert into video_comment (url, video_id, account_id, text)
    select 'http://localhost/comments/' || n, ${all[0]!.id}, (select min(id) from account where user_id is not null),
      repeat('Words about a video. ', 1 + n % 12)
    from generate_series(1, 200) n`
  yield* sql`analyze`
  return all
})

const unready = () =>
  rows<{ left: number }>(
    (sql) => sql`select count(*)::int as left from video_read_model where summary is null or details is null`
  )

/** Starts or stops nodes until there are so many, each with its share of what is done once. */
const beMany = async (count: number) => {
  while (running.length > count) {
    const last = running.pop()!
    await last.node.stop()
    last.group.remove()
  }
  while (running.length < count) {
    const node = await furtherNode(first, String(running.length + 1), env)
    await node.node.start()
    running.push(shareOf(node, `node-${running.length + 1}`))
  }
  await until(`${count} nodes that share the work`, 60, async () => {
    const found = await rows<{ n: number }>(
      (sql) => sql`select count(*)::int as n from cluster_shard where address is not null group by address`
    )
    const even = found.every(({ n }) => n > 64 / count / 2)
    return found.length === count && even && found.reduce((sum, { n }) => sum + n, 0) === 64 ? true : undefined
  })
}

const limit = (to: number) => running.forEach(({ group }) => group.limit(to))

/** Runs something while each node has its share, and gives what it took. */
const measured = async (
  kind: string,
  run: () => Promise<{ readonly count: number; readonly perSecond: number; readonly errors: number }>
): Promise<Measured> => {
  limit(share)
  const pids = running.map(pidOf)
  const [before, from] = [costOfAll(dataDir, pids), performance.now()]
  const { count, errors, perSecond } = await run()
  const [after, took] = [costOfAll(dataDir, pids), (performance.now() - from) / 1000]
  limit(0)
  const [node, db] = [after.node - before.node, after.database - before.database]
  const result: Measured = {
    kind,
    nodes: running.length,
    perSecond,
    errors,
    node: (node / count) * 1000,
    database: (db / count) * 1000,
    used: node / took / (share * running.length),
    databaseCores: db / took
  }
  console.log(JSON.stringify(result))
  return result
}

const listed = (kind: string, path: string) => {
  for (const { node } of running) load(node.url + path, { seconds: 2, connections })
  return measured(kind, async () => {
    const all = await Promise.all(running.map(({ node }) => loading(node.url + path, { seconds, connections })))
    const sum = (of: "requests" | "perSecond" | "failures") => all.reduce((total, one) => total + one[of], 0)
    return { count: sum("requests"), perSecond: sum("perSecond"), errors: sum("failures") }
  })
}

const waiting = async () =>
  (await rows<{ n: number }>((sql) => sql`select count(*)::int as n from inbox_activity where state = 'waiting'`))[0]!.n

const drained = () =>
  until("all activities to be applied", 300, async () => ((await waiting()) === 0 ? true : undefined))

const videos = await database.runPromise(seed)
await until("answers to be made", 120, async () => ((await unready())[0]!.left === 0 ? true : undefined))
const { host } = new URL(first.node.url)

const sign = (type: Signed, count: number) =>
  far.ask<void>({ _tag: "Sign", type, count, host, videos: videos.map(({ url }) => url) })
const sendAll = (count: number) =>
  far.ask<Sent>({
    _tag: "Send",
    count,
    ports: running.map(({ node }) => node.port),
    connections: senders * running.length
  })

const received = async (type: Signed) => {
  const count = counts[type] * running.length
  await sign(type, count)
  return measured(`inbox: ${type}`, async () => {
    const from = performance.now()
    const sent = await sendAll(count)
    const left = await waiting()
    await drained()
    const taken = sent.statuses["204"] ?? 0
    const rest = (performance.now() - from) / 1000 - sent.seconds
    console.log(
      `${sent.perSecond.toFixed(0)}/s taken within p50 ${sent.p50.toFixed(0)} ms, p99 ${sent.p99.toFixed(0)} ms; ` +
        `${left} waited at the end, ${rest.toFixed(1)} s more; the sender took ${(sent.cpu / sent.seconds).toFixed(2)} cores`
    )
    return { count, perSecond: taken / ((performance.now() - from) / 1000), errors: count - taken }
  })
}

const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
}

try {
  await far.ask<void>({ _tag: "Listen", port: await freePort(), actors: people, hosts })
  await sign("Like", people)
  await sendAll(people)
  await drained()
  const all: Array<Measured> = []
  let connected = 0
  let memory: ReadonlyArray<number> = []
  const way = Array.from({ length: most }, (_, n) => n + 1)
  for (const count of Array.from({ length: runs }, () => [...way, ...way.toReversed()]).flat()) {
    await beMany(count)
    all.push(await listed("list of 15 videos", "/api/v1/videos?count=15"))
    all.push(await listed("search of 15", "/api/v1/search/videos?search=number&sort=-publishedAt&count=15"))
    all.push(await listed("comments of a video", `/api/v1/videos/${videos[0]!.uuid}/comment-threads?count=10`))
    all.push(await received("Like"))
    all.push(await received("Create"))
    const found = await rows<{ n: number }>(
      (sql) => sql`select count(*)::int as n from pg_stat_activity where backend_type = 'client backend'`
    )
    if (count === most) {
      connected = found[0]!.n
      memory = running.map((it) => residentMiB(pidOf(it)))
    }
  }
  const refused = await rows<{ n: number }>(
    (sql) => sql`select count(*)::int as n from inbox_activity where state <> 'applied'`
  )
  const figures: Array<Figure> = [...new Set(all.map(({ kind }) => kind))].flatMap((kind) => {
    const at = (nodes: number, of: keyof Measured) =>
      median(all.filter((it) => it.kind === kind && it.nodes === nodes).map((it) => Number(it[of])))
    return way.map((nodes) => ({
      name: `${kind}: ${nodes} ${nodes === 1 ? "node" : "nodes"}`,
      value: at(nodes, "perSecond"),
      unit: "/s",
      ...(nodes > 1 && { goal: { kind: "at least" as const, value: Math.round(at(1, "perSecond") * nodes * 0.85) } }),
      beside: { name: "one node (/s)", value: at(1, "perSecond") },
      note:
        `node ${at(nodes, "node").toFixed(2)} ms, database ${at(nodes, "database").toFixed(2)} ms for each; ` +
        `nodes used ${(at(nodes, "used") * 100).toFixed(0)} % of their share, the database ${at(nodes, "databaseCores").toFixed(2)} cores`
    }))
  })
  figures.push(
    {
      name: "errors",
      value: all.reduce((sum, it) => sum + it.errors, 0),
      unit: "",
      goal: { kind: "at most", value: 0 }
    },
    { name: "activities not applied", value: refused[0]!.n, unit: "", goal: { kind: "at most", value: 0 } },
    { name: `connections to the database of ${most} nodes under load`, value: connected, unit: "" },
    { name: "resident memory of a node, median", value: median(memory), unit: "MiB", note: `${memory.map(Math.round)}` }
  )
  write("nodes", figures, {
    nodes: `each ${share} of a core, by a control group; ${connections} connections to each`,
    data: `${videos.length} videos; ${people} people of ${hosts} instances`,
    database: "embedded PostgreSQL, not limited, fsync, full_page_writes and synchronous_commit on"
  })
} finally {
  far.stop()
  await database.dispose()
  for (const { group, node } of running.toReversed()) {
    if (node !== first.node) await node.stop()
    else await node.remove()
    group.remove()
  }
  others.remove()
}
