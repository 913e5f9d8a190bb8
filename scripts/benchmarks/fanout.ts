import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fork } from "node:child_process"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { hostOf, type Kind } from "./fanout/Hosts.ts"
import type { Arrival } from "./fanout/PeerProcess.ts"
import { costOf } from "./lib/Cost.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, login, residentMiB, start } from "./lib/Instance.ts"
import { load } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * A video is published to 10,000 followers on 3,000 hosts, of which 70 % are dead or slow: a third each refuse connections,
 * accept them and stay silent, answer after 9 s. Nothing is known of any host at first. Meanwhile new followers come. More
 * memory is counted from a node at work: it has answered lists for a while, and has published to one host.
 */
const followers = 10_000
const hosts = 3_000
const healthy = 900
const kinds: ReadonlyArray<Kind> = ["refusing", "silent", "slow"]

const wait = (millis: number) => new Promise((next) => setTimeout(next, millis))
const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const peers = fork(join(import.meta.dirname, "fanout/PeerProcess.ts"))
const told = <A>() => new Promise<A>((resolve) => peers.once("message", (message) => resolve(message as A)))
const { port } = await told<{ port: number }>()
const arrived = async (): Promise<ReadonlyArray<Arrival>> => {
  const answer = told<{ arrivals: ReadonlyArray<Arrival> }>()
  peers.send("report")
  return (await answer).arrivals
}

const hostNames = Array.from({ length: hosts }, (_, n) =>
  hostOf(n < healthy ? "healthy" : kinds[n % kinds.length]!, n, port)
)

/** Followers of root's channel on all hosts, without the Accepts they would be sent. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local session_replication_role = replica`
      yield* sql`insert into server (host) select h from unnest(${hostNames}::text[]) h on conflict do nothing`
      yield* sql`
        with made as (
          insert into actor (type, preferred_username, server_id, url, inbox_url, shared_inbox_url, public_key)
          select 'Person', 'fan' || n, s.id, 'http://' || s.host || '/accounts/fan' || n,
            'http://' || s.host || '/accounts/fan' || n || '/inbox', 'http://' || s.host || '/inbox', 'none'
          from generate_series(1, ${followers}) n
            join server s on s.id = (select min(id) from server) + n % ${hosts}
          returning id, url
        )
        insert into actor_follow (actor_id, target_actor_id, state, url, follower_remote)
        select m.id, c.id, 'accepted', m.url || '/follows/1', true
        from made m, actor c where c.preferred_username = 'root_channel' and c.server_id is null`
    })
  )
  yield* sql`analyze`
})

const video = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ uuid: string }>`
    insert into video (channel_id, account_id, url, name, privacy, state, duration)
    select c.id, c.account_id, wire_origin() || '/videos/watch/' || gen_random_uuid(), 'Fan-out', 3, 1, 10
    from video_channel c join actor a on a.id = c.actor_id where a.preferred_username = 'root_channel' returning uuid`
  return rows[0]!.uuid
})

const newHost = Effect.flatMap(
  SqlClient,
  (sql) => sql`insert into server (host) values (${hostOf("healthy", 0, port)})`
)

const newFollower = (n: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const host = hostOf("healthy", n % healthy, port)
    const name = `new${n}`
    yield* sql`
      with made as (
        insert into actor (type, preferred_username, server_id, url, inbox_url, shared_inbox_url, public_key)
        select 'Person', ${name}, id, ${`http://${host}/accounts/${name}`}, ${`http://${host}/accounts/${name}/inbox`},
          ${`http://${host}/inbox`}, 'none'
        from server where host = ${host} returning id, url
      )
      insert into actor_follow (actor_id, target_actor_id, state, url)
      select m.id, c.id, 'accepted', m.url || '/follows/1'
      from made m, actor c where c.preferred_username = 'root_channel' and c.server_id is null`
  })

/** Has a video seen by everybody from now on. */
const publishing = async (uuid: string, headers: Record<string, string>): Promise<Response> => {
  const body = new FormData()
  body.set("privacy", "1")
  return fetch(`${node.url}/api/v1/videos/${uuid}`, { method: "PUT", headers, body })
}

const data = freshDataDir()
const node = await start(data.dir, 9470, { KINORA_FEDERATION_ONLY_LOOPBACK: "true", KINORA_LOG_LEVEL: "error" })
try {
  const token = await login(node.url)
  const headers = { authorization: `Bearer ${token}` }
  const before = await withDatabase(data.dir, video)
  await withDatabase(data.dir, Effect.andThen(newHost, newFollower(0)))
  await publishing(before, headers)
  load(`${node.url}/api/v1/videos?count=15`, { seconds: 5 })
  await withDatabase(data.dir, fill)
  await arrived()
  const figures: Array<Figure> = []

  const publish = async (name: string, request: () => Promise<Response>, type: string, secondsMore: number) => {
    await wait(3_000)
    const memory = residentMiB(node.pid)
    let most = memory
    const cost = costOf(node)
    const from = Date.now()
    const clock = performance.now()
    const answer = await request()
    const took = performance.now() - clock
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    const published: Array<number> = []
    const accepts: Array<number> = []
    const asked = new Map<string, number>()
    for (let n = 0; n < secondsMore; n++) {
      const follower = n + Math.floor(from / 1000) * 100
      await withDatabase(data.dir, newFollower(follower))
      asked.set(`new${follower}`, Date.now())
      await wait(1_000)
      most = Math.max(most, residentMiB(node.pid))
      for (const it of await arrived()) {
        if (it.type === type) published.push(it.at - from)
        if (it.type === "Accept") accepts.push(it.at)
      }
      if (published.length >= healthy && n > 10) break
    }
    await wait(5_000)
    for (const it of await arrived()) {
      if (it.type === type) published.push(it.at - from)
      if (it.type === "Accept") accepts.push(it.at)
    }
    const after = costOf(node)
    const first = [...asked.values()]
    const delays = accepts.toSorted((a, b) => a - b).map((at, i) => at - (first[i] ?? at))
    figures.push(
      { name: `${name}: the request`, value: took, unit: "ms", goal: { kind: "at most", value: 100 } },
      {
        name: `${name}: healthy hosts, p95`,
        value: percentile(published, 0.95) / 1000,
        unit: "s",
        goal: { kind: "at most", value: 30 },
        note: `${published.length} of ${healthy} hosts; p50 ${(percentile(published, 0.5) / 1000).toFixed(1)} s, last ${(Math.max(...published) / 1000).toFixed(1)} s`
      },
      {
        name: `${name}: answers to follows meanwhile, slowest`,
        value: Math.max(...delays) / 1000,
        unit: "s",
        goal: { kind: "at most", value: 5 },
        note: `${accepts.length} of ${asked.size}`
      },
      {
        name: `${name}: more memory`,
        value: most - memory,
        unit: "MiB",
        goal: { kind: "at most", value: 100 },
        note: `from ${memory.toFixed(0)} MiB; node ${(after.node - cost.node).toFixed(1)} s of a core, database ${(after.database - cost.database).toFixed(1)} s`
      }
    )
  }

  const uuid = await withDatabase(data.dir, video)
  await publish("first video, hosts unknown", () => publishing(uuid, headers), "Announce", 60)
  await publish(
    "comment, hosts known",
    () =>
      fetch(`${node.url}/api/v1/videos/${uuid}/comment-threads`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ text: "First" })
      }),
    "Create",
    30
  )
  write("fanout", figures, {
    followers: `${followers} on ${hosts} hosts, ${healthy} of them healthy; a third each of the others refuse, stay silent, answer after 9 s`,
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on"
  })
} finally {
  await node.stop()
  peers.disconnect()
  data.remove()
}
