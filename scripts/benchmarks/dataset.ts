import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { join } from "node:path"
import { dataset } from "./dataset/Build.ts"
import { deepRequests, listRequests, videoRequests } from "./dataset/Mix.ts"
import { namesOf } from "./dataset/NamesOf.ts"
import { searchRequests } from "./dataset/Searches.ts"
import { million } from "./dataset/Size.ts"
import { bare } from "./lib/Bare.ts"
import { withDatabase } from "./lib/Database.ts"
import { password, residentMiB, root, start } from "./lib/Instance.ts"
import { mix, type MixResult, percentile } from "./lib/Mix.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * Lists over a million videos: 4 clients send a published mix of queries. The data is made once (`--only-data` does no
 * more than that) below `.cache/dataset`, or where KINORA_BENCH_DATASET says; KINORA_BENCH_SECONDS is how long the mix runs.
 */
const port = 9480
const folder = process.env["KINORA_BENCH_DATASET"] ?? join(root, ".cache/dataset")
const seconds = Number(process.env["KINORA_BENCH_SECONDS"] ?? 90)
const clients = 4

const built = await Effect.runPromise(dataset({ folder, size: million, origin: `http://127.0.0.1:${port}`, password }))
if (built > 0) console.log(`The data set was made in ${built.toFixed(0)} s.`)
if (process.argv.includes("--only-data")) process.exit(0)

/** Whether texts are missing: a new version of the program makes them all anew. */
const unready = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ left: boolean }>`
    select exists (select 1 from video_read_model where summary is null or details is null)
      or exists (select 1 from actor_read_model where text is null) as left`
  return rows[0]!.left
})

const instance = await start(folder, port)
try {
  for (let tries = 0; await withDatabase(folder, unready); tries++) {
    if (tries === 600) throw new Error("read models are not filled within ten minutes")
    await new Promise((next) => setTimeout(next, 1_000))
  }
  const names = await namesOf(instance.url, million)
  const { token } = names
  const requests = listRequests(names)
  // Each query for the first time, alone: nothing is known of any total.
  const first = await mix(instance.url, requests, { clients: 1, seconds: 0 })
  const lists = await mix(instance.url, requests, { clients, seconds })
  const { right, typos } = searchRequests(token)
  const firstSearches = await mix(instance.url, [...right, ...typos], { clients: 1, seconds: 0 })
  const found = await mix(instance.url, right, { clients, seconds: seconds / 2 })
  const corrected = await mix(instance.url, typos, { clients, seconds: seconds / 6 })
  const pages = await mix(instance.url, videoRequests(names), { clients, seconds: 15 })
  const deep = await mix(instance.url, deepRequests(), { clients: 1, seconds: 0 })
  const again = await mix(instance.url, deepRequests(), { clients: 1, seconds: 0 })

  const body = await (await fetch(`${instance.url}/api/v1/videos?count=15`)).text()
  const beside = await bare({ body }, port + 1)
  const besideTimes = (await mix(beside.url, [{ kind: "bare", path: "/" }], { clients, seconds: 5 }))[0]!.times
  beside.stop()

  const timesOf = (results: ReadonlyArray<MixResult>) => results.flatMap(({ times }) => times).toSorted((a, b) => a - b)
  const all = timesOf(lists)
  const video = pages[0]!.times
  const bareFigure = { name: "bare node:http, same bytes, p95 (ms)", value: percentile(besideTimes, 0.95) }
  const most =
    (share: number, goal?: number) =>
    (name: string, times: ReadonlyArray<number>): Figure => ({
      name: `${name}: p${share * 100}`,
      value: percentile(times, share),
      unit: "ms",
      ...(goal === undefined ? {} : { goal: { kind: "at most", value: goal } }),
      beside: bareFigure,
      note: `p50 ${percentile(times, 0.5).toFixed(1)} ms, ${times.length} requests`
    })
  const worst = (name: string, results: ReadonlyArray<MixResult>, goal: number): Figure => {
    const last = results.flatMap(({ kind, times }) => times.map((time) => ({ kind, time })))
    const slowest = last.toSorted((a, b) => b.time - a.time)[0]!
    return { name, value: slowest.time, unit: "ms", goal: { kind: "at most", value: goal }, note: slowest.kind }
  }
  write(
    "dataset",
    [
      most(0.95, 50)("all list pages", all),
      most(0.99, 150)("all list pages", all),
      ...lists.flatMap(({ kind, times }) => [most(0.95, 50)(kind, times), most(0.99, 150)(kind, times)]),
      most(0.95, 150)("searches spelt right", timesOf(found)),
      ...found.map(({ kind, times }) => most(0.95, 150)(kind, times)),
      most(0.95, 250)("searches with a typing mistake", timesOf(corrected)),
      worst("first search for something", firstSearches, 400),
      most(0.95, 10)("video page", video),
      worst("first count of a filter, with its page", first, 400),
      worst("from 500,000 on, first time", deep, 1_000),
      worst("from 500,000 on, again", again, 1_000),
      { name: "list requests", value: all.length / seconds, unit: "requests/s" },
      { name: "resident memory after the load", value: residentMiB(instance.pid), unit: "MiB" }
    ],
    {
      data: "1,000,000 federated and 20,000 local videos, 60,000 channels, 2,000 servers",
      load: `${clients} clients, ${seconds} s of a mix of ${requests.length} queries (scripts/benchmarks/dataset/Mix.ts)`,
      database: "embedded PostgreSQL with its defaults: fsync, full_page_writes and synchronous_commit on"
    }
  )
} finally {
  await instance.stop()
}
