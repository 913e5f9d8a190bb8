/**
 * A search of all videos, asked five times as often as the machine can answer: what is answered, how fast the rest is refused, what users
 * have of it meanwhile, and whether all is well five seconds later.
 */
import { Effect } from "effect"
import { seedVideos } from "../../packages/storage/test/support/SeedVideos.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, login, residentMiB, start } from "./lib/Instance.ts"
import { load } from "./lib/Load.ts"
import { openLoad } from "./lib/OpenLoad.ts"
import { type Figure, write } from "./lib/Report.ts"

const count = 5_000
const times = 5
const seconds = 15
const wait = (time: number) => new Promise((done) => setTimeout(done, time * 1000))

const data = freshDataDir()
try {
  let instance = await start(data.dir, 9484)
  await withDatabase(data.dir, Effect.asVoid(seedVideos({ videos: count, accounts: 100, files: 1 })))
  await instance.stop()
  instance = await start(data.dir, 9484)
  const auth = { authorization: `Bearer ${await login(instance.url)}` }
  const path = `${instance.url}/api/v1/search/videos?search=video&sort=-match&count=15`
  load(path, { seconds: 4 })
  const usual = load(path, { seconds: 8 })
  const before = residentMiB(instance.pid)

  /** One user, who asks all the time for what is answered from the same database. */
  const waits: Array<number> = []
  let refusedUser = 0
  const ended = new AbortController()
  const user = (async () => {
    while (!ended.signal.aborted) {
      const from = performance.now()
      const answer = await fetch(`${instance.url}/api/v1/users/me/videos?count=5`, { headers: auth })
      await answer.arrayBuffer()
      if (answer.status === 200) waits.push(performance.now() - from)
      else refusedUser++
      await wait(0.1)
    }
  })()
  const result = await openLoad(path, usual.perSecond * times, seconds)
  ended.abort()
  await user
  await wait(5)
  const after = load(path, { seconds: 8 })
  waits.sort((a, b) => a - b)

  const { "200": answered, "503": refused, ...others } = result
  const odd = Object.values(others).reduce((sum, { count: number }) => sum + number, 0)
  const figures: Array<Figure> = [
    {
      name: "capacity, 20 connections",
      value: usual.perSecond,
      unit: "searches/s",
      note: `p99 ${usual.p99.toFixed(0)} ms`
    },
    {
      name: `answered at ${times} times of it`,
      value: (answered?.count ?? 0) / seconds,
      unit: "searches/s",
      goal: { kind: "at least", value: usual.perSecond / 2 },
      note: `p50 ${answered?.p50.toFixed(0)} ms, p99 ${answered?.p99.toFixed(0)} ms`
    },
    {
      name: "p99 of what is refused (503)",
      value: refused?.p99 ?? 0,
      unit: "ms",
      goal: { kind: "at most", value: 100 },
      note: `${refused?.count} refused, p50 ${refused?.p50.toFixed(1)} ms`
    },
    { name: "other answers, or none", value: odd, unit: "requests", goal: { kind: "at most", value: 0 } },
    {
      name: "p99 of a user's own list meanwhile",
      value: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
      unit: "ms",
      note: `${waits.length} answers, ${refusedUser} refused`
    },
    {
      name: "capacity five seconds later",
      value: after.perSecond,
      unit: "searches/s",
      goal: { kind: "at least", value: usual.perSecond * 0.8 },
      note: `p99 ${after.p99.toFixed(0)} ms, ${after.failures} failures`
    },
    { name: "memory afterwards", value: residentMiB(instance.pid), unit: "MiB", note: `${before.toFixed(0)} before` }
  ]
  await instance.stop()
  write("overload", figures, { data: `${count} videos`, load: `${times} times the capacity for ${seconds} s` })
} finally {
  data.remove()
}
