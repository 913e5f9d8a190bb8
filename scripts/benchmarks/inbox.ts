import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { bare } from "./lib/Bare.ts"
import { costOf } from "./lib/Cost.ts"
import { withDatabase } from "./lib/Database.ts"
import type { Sent } from "./lib/InboxPeer.ts"
import { inboxPeer } from "./lib/InboxPeers.ts"
import { freshDataDir, residentMiB, start } from "./lib/Instance.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * What others send: Likes that were signed before, over 20 connections, by an instance in a process of its own on the same
 * cores. A burst as fast as it is answered, how fast what it left is applied, and a steady stream during which both go on.
 * Every one is accepted after its row is on the disk, and counted at the end.
 */
const burst = Number(process.env["KINORA_BENCH_INBOX_BURST"] ?? 20_000)
const steadyRate = 1_300
const steadySeconds = Number(process.env["KINORA_BENCH_INBOX_STEADY"] ?? 20)
const people = 400
const connections = 20
const port = 9492
const peerPort = port + 1

const env = { KINORA_FEDERATION_ONLY_LOOPBACK: "true", KINORA_WEBSERVER_HOSTNAME: "127.0.0.1" }

interface Progress {
  readonly waiting: number
  readonly applied: number
  readonly refused: number
}

/** What became of the rows. */
const progress = (dataDir: string): Promise<Progress> =>
  withDatabase(
    dataDir,
    Effect.flatMap(Effect.service(SqlClient), (sql) =>
      Effect.map(
        sql<Progress>`
          select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'applied') as applied,
            count(*) filter (where state = 'refused') as refused from inbox_activity`,
        (rows) => rows[0]!
      )
    )
  )

const drained = async (dataDir: string): Promise<Progress & { readonly seconds: number }> => {
  const from = performance.now()
  for (;;) {
    const now = await progress(dataDir)
    const seconds = (performance.now() - from) / 1000
    if (now.waiting === 0 || seconds > 300) return { ...now, seconds }
    await new Promise((next) => setTimeout(next, 50))
  }
}

const accepted = (sent: Sent): number => sent.statuses["204"] ?? 0

const data = freshDataDir()
const far = inboxPeer()
try {
  let instance = await start(data.dir, port, env)
  const videos = await withDatabase(
    data.dir,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* seedVideos({ videos: 150, accounts: 50, files: 1 })
      yield* sql`update video set url = ${instance.url} || '/videos/watch/' || uuid, likes = 0`
      return yield* sql<{ url: string }>`select url from video order by id`
    })
  )
  const host = new URL(instance.url).host
  const sign = (count: number) => far.ask<void>({ _tag: "Sign", count, host, videos: videos.map((video) => video.url) })
  const send = (count: number, to: number, rate?: number) =>
    far.ask<Sent>({ _tag: "Send", count, ports: [to], connections, ...(rate === undefined ? {} : { rate }) })
  await far.ask<void>({ _tag: "Listen", port: peerPort, actors: people })

  // First contacts: everybody is unknown.
  await sign(people)
  const first = await send(people, port)
  await drained(data.dir)
  const idle = residentMiB(instance.pid)

  await sign(Math.min(burst, 5_000))
  const beside = await bare({ sink: true }, port + 2)
  const bareSent = await send(Math.min(burst, 5_000), port + 2)
  beside.stop()

  await sign(burst)
  const before = costOf(instance)
  const sent = await send(burst, port)
  const left = await progress(data.dir)
  const rest = await drained(data.dir)
  const after = costOf(instance)
  const memory = residentMiB(instance.pid)

  const count = steadyRate * steadySeconds
  await sign(count)
  const steadyBefore = await progress(data.dir)
  const steady = await send(count, port, steadyRate)
  const during = await progress(data.dir)
  await drained(data.dir)

  // Killed in the middle of a burst.
  await sign(1_000)
  const breaking = send(1_000, port)
  await new Promise((next) => setTimeout(next, 150))
  await instance.stop("SIGKILL")
  const broken = await breaking
  instance = await start(data.dir, port, env)
  const end = await drained(data.dir)
  const rates = await withDatabase(
    data.dir,
    Effect.flatMap(Effect.service(SqlClient), (sql) =>
      Effect.map(
        sql<{ likes: number; rows: number }>`
          select (select sum(likes) from video) as likes, (select count(*) from account_video_rate) as rows`,
        (rows) => rows[0]!
      )
    )
  )
  await instance.stop()

  const taken = [first, sent, steady, broken].reduce((sum, it) => sum + accepted(it), 0)
  const work = (name: "node" | "database") => ((after[name] - before[name]) / burst) * 1e6
  const figures: ReadonlyArray<Figure> = [
    {
      name: `first words of ${people} unknown actors refused`,
      value: people - accepted(first),
      unit: "",
      goal: { kind: "at most", value: 0 },
      note: `${first.perSecond.toFixed(0)}/s, each with a fetch of its actor`
    },
    {
      name: `a burst of ${burst} Likes, accepted`,
      value: sent.perSecond,
      unit: "/s",
      goal: { kind: "at least", value: 2_000 },
      beside: { name: "bare node:http that swallows the same (/s)", value: bareSent.perSecond },
      note: `p50 ${sent.p50.toFixed(1)} ms, worst ${sent.worst.toFixed(0)} ms; ${JSON.stringify(sent.statuses)}; the sender took ${(sent.cpu / sent.seconds).toFixed(2)} cores`
    },
    { name: "its p99", value: sent.p99, unit: "ms", goal: { kind: "at most", value: 100 } },
    {
      name: "what it left, applied",
      value: left.waiting === 0 ? burst / sent.seconds : left.waiting / rest.seconds,
      unit: "/s",
      goal: { kind: "at least", value: 1_000 },
      note: `${left.waiting} waited when the last was accepted; work of one: node ${work("node").toFixed(0)} us, database ${work("database").toFixed(0)} us`
    },
    {
      name: `steady, ${steadyRate}/s asked for: accepted`,
      value: steady.perSecond,
      unit: "/s",
      goal: { kind: "at least", value: 1_200 },
      note: `p99 ${steady.p99.toFixed(1)} ms; ${JSON.stringify(steady.statuses)}; the sender took ${(steady.cpu / steady.seconds).toFixed(2)} cores`
    },
    {
      name: "steady: applied meanwhile",
      value: (during.applied - steadyBefore.applied) / steady.seconds,
      unit: "/s",
      goal: { kind: "at least", value: 500 },
      note: `${during.waiting} waited at its end`
    },
    {
      name: "killed in a burst and started again: accepted and not applied, of all",
      value: Math.max(0, taken - end.applied),
      unit: "",
      goal: { kind: "at most", value: 0 },
      note: `${accepted(broken)} of 1000 accepted before; of all ${taken} accepted, ${end.applied} applied, ${end.refused} refused`
    },
    {
      name: "applied otherwise than once",
      value: Math.abs(rates.likes - end.applied) + Math.abs(rates.rows - end.applied),
      unit: "",
      goal: { kind: "at most", value: 0 },
      note: `${rates.likes} likes counted, ${rates.rows} ratings kept`
    },
    {
      name: "memory after the burst, above that before",
      value: memory - idle,
      unit: "MiB",
      note: `${memory.toFixed(0)} MiB`
    }
  ]
  write("inbox", figures, {
    sender: `${people} actors of one instance, RSA 2048, draft-cavage-12, ${connections} connections, on the same cores`,
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on"
  })
} finally {
  far.stop()
  data.remove()
}
