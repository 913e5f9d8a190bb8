import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedVideos } from "../../../../storage/test/support/SeedVideos.ts"
import { plainClip } from "../../video/upload/Clips.ts"
import { addUser, twoRenditions, uploadVideo } from "../../walks/support/Scene.ts"
import { openDatabase } from "../EmbeddedServer.ts"
import { send, startInstance } from "../Federating.ts"
import { freePort, until } from "../KinoraProcess.ts"
import { untilReady } from "../Uploads.ts"
import { runActs } from "./Act.ts"
import { administrators } from "./Administrators.ts"
import { ask } from "./Asking.ts"
import { federated, followed } from "./Federated.ts"
import { type Backlog, drainedBacklog, temporaryFiles } from "./Leftovers.ts"
import { OtherInstance } from "./OtherInstance.ts"
import { people, type Person } from "./People.ts"
import { descriptors, type Memory, sampleMemory, sum } from "./Resources.ts"
import { Tally } from "./Tally.ts"
import { uploads } from "./Uploading.ts"
import { viewers } from "./Viewers.ts"

/** How long, and how busy. */
export interface SoakOptions {
  readonly seconds: number
  /** Before what is measured: caches fill, connections are made. */
  readonly warmSeconds: number
  /** Multiplies how often everything is done. */
  readonly pace: number
  /** Hears how far it is. */
  readonly progress?: (line: string) => void
}

interface Threads {
  readonly totalNotDeletedComments: number
}

type Descriptors = ReturnType<typeof descriptors>

/** What came of it. */
export interface Soaked {
  readonly tally: Tally
  readonly memory: ReadonlyArray<Memory>
  /** At rest, before and after. */
  readonly descriptors: { readonly before: Descriptors; readonly after: Descriptors }
  readonly backlog: Backlog
  readonly temporaryFiles: ReadonlyArray<string>
  /** Activities that were delivered to the other instance, by type. */
  readonly delivered: Readonly<Record<string, number>>
  /** Cores that the node took while it was measured. */
  readonly cores: number
  readonly pid: number
}

const names = ["ada", "ben", "cleo", "dan", "eve"]

/** Connections that are kept are closed within this time. Seconds. */
const closing = 120
/** How long descriptors are looked at before: the least that are open at rest. Seconds. */
const resting = 20

/** The fewest descriptors within so many seconds, or as soon as there are no more than `most`. */
const fewest = async (pid: number, seconds: number, most: number): Promise<Descriptors> => {
  let least = descriptors(pid)
  await until("few descriptors", seconds, async () => {
    const now = descriptors(pid)
    if (sum(Object.values(now)) < sum(Object.values(least))) least = now
    return sum(Object.values(least)) <= most ? true : undefined
  }).catch(() => undefined)
  return least
}

/** People, their videos, and many more to look at; another instance whose people follow them. */
const furnish = async (there: OtherInstance, metricsPort: number) => {
  const here = await startInstance({
    ...twoRenditions,
    KINORA_TRANSCODING_THREADS: "1",
    KINORA_LOG_LEVEL: "warn",
    KINORA_OPEN_TELEMETRY_METRICS_ENABLED: "true",
    KINORA_OPEN_TELEMETRY_METRICS_PROMETHEUS_EXPORTER_PORT: String(metricsPort),
    ...Object.fromEntries(
      ["API", "WELL_KNOWN", "FEEDS", "ACTIVITY_PUB", "CLIENT", "CREATE_COMMENT"].map((it) => [
        `KINORA_RATES_LIMIT_${it}_MAX`,
        "100000000"
      ])
    )
  })
  const database = openDatabase(here.node.dataDir)
  await database.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* seedVideos({ videos: 300, accounts: 30, files: 2 })
      yield* sql`update video set url = ${here.node.url} || '/videos/watch/' || uuid`
    })
  )
  await database.dispose()
  const all: Array<Person> = []
  const uuids: Array<string> = []
  for (const name of names) {
    const instance = await addUser(here, name)
    all.push({ name, instance })
    const { uuid } = await uploadVideo(instance, plainClip(), { name: `A soaked film of ${name}` })
    await untilReady(here.node, uuid, 2)
    uuids.push(uuid)
  }
  await followed(here, there)
  const fan = there.actor("fan")
  for (const name of names) await there.send(here, "Follow", fan, `${here.node.url}/video-channels/${name}_channel`)
  await there.send(
    here,
    "Follow",
    there.actor("peertube", { type: "Application" }),
    `${here.node.url}/accounts/peertube`
  )
  await send(all[0]!.instance, "POST", "/api/v1/abuses", { reason: "For the list", video: { id: uuids[1] } })
  return { here, all, uuids }
}

/** An instance under steady use by everybody at once, whose every answer is looked at. Removes it at the end. */
export const soak = async ({ pace, progress = () => {}, seconds, warmSeconds }: SoakOptions): Promise<Soaked> => {
  const there = await OtherInstance.listen()
  const metricsPort = await freePort()
  const { all, here, uuids } = await furnish(there, metricsPort)
  try {
    const pid = here.node.child?.pid ?? 0
    const tally = new Tally(progress)
    const warm = new Tally()
    const parties = async (of: Tally) => [
      ...(await viewers(here, uuids)),
      ...people(all, uuids),
      ...uploads(all, 5),
      ...federated(here, there, uuids, of),
      ...administrators(here)
    ]
    progress(`node ${pid} is warmed`)
    await runActs(await parties(warm), warm, warmSeconds, pace)
    for (const error of warm.errors) tally.fail("warming", error)
    await drainedBacklog(here.node.dataDir, closing)
    const before = await fewest(pid, resting, 0)
    progress("measuring")

    const [cpu, from] = [await cpuSeconds(metricsPort), performance.now()]
    const sampling = sampleMemory(pid, `http://127.0.0.1:${metricsPort}/metrics`)
    const telling = setInterval(() => {
      const [count, last] = [sum(tally.all.map((it) => it.count)), sampling.last()]
      progress(
        `${count} acts, ${tally.errorCount} errors, ${last?.heap.toFixed(0)} of ${last?.anonymous.toFixed(0)} MiB`
      )
    }, 60_000)
    await runActs(await parties(tally), tally, seconds, pace)
    clearInterval(telling)
    const memory = await sampling.stop()
    const cores = ((await cpuSeconds(metricsPort)) - cpu) / ((performance.now() - from) / 1000)

    const backlog = await drainedBacklog(here.node.dataDir, 120)
    for (const uuid of uuids)
      await tally.of("afterwards: likes and comments of a video", async () => {
        const video = JSON.parse(await ask(here, `/api/v1/videos/${uuid}`)) as { likes: number; dislikes: number }
        if (video.likes !== 0 || video.dislikes !== 0)
          throw new Error(`${video.likes} likes, ${video.dislikes} dislikes`)
        const threads = JSON.parse(await ask(here, `/api/v1/videos/${uuid}/comment-threads`)) as Threads
        // What is deleted leaves its place.
        if (threads.totalNotDeletedComments !== 0) throw new Error(`${threads.totalNotDeletedComments} comments`)
      })
    const after = await fewest(pid, closing, sum(Object.values(before)))
    return {
      tally,
      memory,
      descriptors: { before, after },
      backlog,
      temporaryFiles: temporaryFiles(here.node.dataDir),
      delivered: Object.fromEntries(there.taken),
      cores,
      pid
    }
  } finally {
    await here.node.remove()
    await there.close()
  }
}

const cpuSeconds = async (port: number): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_cpu_seconds_total ([\d.e+]+)$/m.exec(text)?.[1])
}
