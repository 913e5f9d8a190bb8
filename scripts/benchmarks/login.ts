import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { withDatabase } from "./lib/Database.ts"
import { flood, hashesPerSecond } from "./lib/Flood.ts"
import { freshDataDir, login, password, start } from "./lib/Instance.ts"
import { load, type LoadResult } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * What logging in costs, and what it costs everybody else: logins a second by 20 clients, beside a bare loop of the same
 * hash; the 99th percentile of the configuration while 20 clients log in without a pause, beside the same without
 * them; one video asked for with a token, beside the same without one. Runs of what is compared take turns.
 */
const runs = 3
const clients = 20

const median = <A>(values: ReadonlyArray<A>, of: (value: A) => number): A =>
  values.toSorted((a, b) => of(a) - of(b))[Math.floor(values.length / 2)]!

const p99 = (result: LoadResult) => result.p99
const rate = (result: LoadResult) => result.perSecond

const checked = (what: string, result: LoadResult): LoadResult => {
  if (result.failures > 0) throw new Error(`${what}: ${result.failures} failed requests`)
  return result
}

const data = freshDataDir()
const port = 9480
try {
  let instance = await start(data.dir, port)
  await withDatabase(data.dir, seedVideos({ videos: 200, accounts: 20, files: 5 }))
  await instance.stop()
  instance = await start(data.dir, port)
  const token = await login(instance.url)
  const client = (await (await fetch(`${instance.url}/api/v1/oauth-clients/local`)).json()) as Record<string, string>
  const form = { ...client, grant_type: "password", response_type: "code", username: "root", password }
  const tokenUrl = `${instance.url}/api/v1/users/token`
  const figures: Array<Figure> = []

  const script = `
    wrk.method = "POST"
    wrk.body = "${new URLSearchParams(form).toString()}"
    wrk.headers["content-type"] = "application/x-www-form-urlencoded"
  `
  const logins: Array<LoadResult> = []
  const hashes: Array<number> = []
  for (let run = 0; run < runs; run++) {
    logins.push(checked("logins", load(tokenUrl, { script, connections: clients, seconds: 8 })))
    hashes.push(hashesPerSecond(4))
  }
  const login20 = median(logins, rate)
  figures.push({
    name: `logins, ${clients} clients`,
    value: login20.perSecond,
    unit: "logins/s",
    goal: { kind: "at least", value: 20 },
    beside: { name: "bare argon2id loop, two at a time (hashes/s)", value: median(hashes, (it) => it) },
    note: `every answer 200; p50 ${login20.p50.toFixed(0)} ms, p99 ${login20.p99.toFixed(0)} ms, load generator ${login20.loadCpu.toFixed(2)} cores`
  })

  const configUrl = `${instance.url}/api/v1/config`
  load(configUrl, { seconds: 3 })
  for (const connections of [20, 4]) {
    const idle: Array<LoadResult> = []
    const flooded: Array<LoadResult> = []
    const floods: Array<number> = []
    for (let run = 0; run < runs; run++) {
      idle.push(checked("config", load(configUrl, { connections, seconds: 6 })))
      const running = await flood(tokenUrl, form, clients)
      flooded.push(checked("config under a flood", load(configUrl, { connections, seconds: 6 })))
      const { perSecond, statuses } = await running.stop()
      if (Object.keys(statuses).some((status) => status !== "200")) {
        throw new Error(`logins of the flood: ${JSON.stringify(statuses)}`)
      }
      floods.push(perSecond)
    }
    const before = median(idle, p99)
    const under = median(flooded, p99)
    figures.push({
      name: `config under a flood of logins, ${connections} connections: p99`,
      value: under.p99,
      unit: "ms",
      goal: { kind: "at most", value: Math.round(30 * before.p99) / 10 },
      beside: { name: "the same without logins (ms)", value: before.p99 },
      note: `${under.perSecond.toFixed(0)} of ${before.perSecond.toFixed(0)} requests/s beside ${median(floods, (it) => it).toFixed(1)} logins/s`
    })
  }

  const list = (await (await fetch(`${instance.url}/api/v1/videos?count=1`)).json()) as {
    data: Array<{ uuid: string }>
  }
  const headers = { authorization: `Bearer ${token}` }
  for (const [name, path] of [
    ["one video", `/api/v1/videos/${list.data[0]?.uuid}`],
    ["list of 15", "/api/v1/videos?count=15"]
  ] as const) {
    const url = instance.url + path
    load(url, { seconds: 3 })
    const anonymous: Array<LoadResult> = []
    const known: Array<LoadResult> = []
    for (let run = 0; run < runs; run++) {
      anonymous.push(checked(name, load(url, { seconds: 6 })))
      known.push(checked(`${name}, logged in`, load(url, { headers, seconds: 6 })))
    }
    const without = median(anonymous, rate)
    const withToken = median(known, rate)
    figures.push({
      name: `${name}: cost with a token, as a multiple of that without`,
      value: without.perSecond / withToken.perSecond,
      unit: "times",
      goal: { kind: "at most", value: 1.3 },
      note: `${withToken.perSecond.toFixed(0)} requests/s with a token, ${without.perSecond.toFixed(0)} without; p99 ${withToken.p99.toFixed(1)} and ${without.p99.toFixed(1)} ms`
    })
  }
  await instance.stop()
  write("login", figures, {
    data: "200 videos, 20 accounts, 5 files each",
    passwords: "argon2id, 19 MiB, two passes, one lane",
    database: "embedded PostgreSQL, fsync, full_page_writes and synchronous_commit on"
  })
} finally {
  data.remove()
}
