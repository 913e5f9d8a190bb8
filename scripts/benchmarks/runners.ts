import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { costOf } from "./lib/Cost.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, type Instance, login, residentMiB, start } from "./lib/Instance.ts"
import { registrationToken } from "./lib/Registration.ts"
import { type Figure, write } from "./lib/Report.ts"
import type { Claims, DoneJobs, RunnerLoad } from "./lib/RunnerLoad.ts"

/**
 * What runners cost a server, without an encoder: 1,000 jobs claimed by 50 runners at once, jobs done one after another
 * with files of a few bytes, and 200 runners that only wait. KINORA_BENCH_ONLY (idle, claims, jobs) chooses one,
 * KINORA_BENCH_QUEUED and KINORA_BENCH_IDLE_SECONDS shorten them.
 */
const queued = Number(process.env["KINORA_BENCH_QUEUED"] ?? 1000)
const claimers = 50
const doneJobs = 600
/** Jobs that are done before it is counted: a server that has just been started is slower. */
const warming = 200
const only = process.env["KINORA_BENCH_ONLY"]
const waiters = 200
const idleSeconds = Number(process.env["KINORA_BENCH_IDLE_SECONDS"] ?? 60)

const loader = join(import.meta.dirname, "lib/RunnerLoad.ts")

const pause = (seconds: number) => new Promise<void>((next) => setTimeout(next, seconds * 1000))

/** Registers so many runners, and gives their tokens. */
const register = async ({ url }: Instance, token: string, count: number, name: string) => {
  const api = `${url}/api/v1/runners`
  const made = await registrationToken(url, token)
  const tokens: Array<string> = []
  while (tokens.length < count) {
    const answer = await fetch(`${api}/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ registrationToken: made, name: `${name} ${tokens.length}` })
    })
    if (answer.status !== 200) throw new Error(`register: ${answer.status} ${await answer.text()}`)
    tokens.push(((await answer.json()) as { runnerToken: string }).runnerToken)
  }
  return tokens
}

/** Jobs of ladders of four renditions, each with a last one that nobody is offered: no ladder is ever put together. */
const queue = ({ dataDir }: Instance, count: number) =>
  withDatabase(
    dataDir,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from runner_job`
      yield* sql`
        with ladder as (
          insert into job (type, payload, state, result)
          select 'video-transcoding', '{"videoId":0}', 'waiting-children', '{"runnerJobs":5}'
          from generate_series(1, ${Math.ceil(count / 4)}) returning id
        )
        insert into runner_job (type, state, priority, payload, private_payload, job_id)
        select 'vod-hls-transcoding', case when i = 5 then 5 else 1 end, 100,
          jsonb_build_object(
            'input', jsonb_build_object('videoFileUrl',
              'http://127.0.0.1/api/v1/runners/jobs/' || gen_random_uuid() || '/files/videos/' || gen_random_uuid() || '/max-quality',
              'separatedAudioFileUrl', '[]'::jsonb),
            'output', jsonb_build_object('resolution', 240 * i, 'fps', 25, 'separatedAudio', false)),
          jsonb_build_object('videoUUID', gen_random_uuid(), 'isNewVideo', true), ladder.id
        from ladder, generate_series(1, 5) i`
      yield* sql`analyze runner_job`
    })
  )

const run = <A>(mode: "claims" | "jobs", load: RunnerLoad): A => {
  const done = spawnSync(process.execPath, [loader, mode, JSON.stringify(load)], { encoding: "utf8", maxBuffer: 1e8 })
  if (done.status !== 0) throw new Error(`the runners failed: ${done.stderr}`)
  return JSON.parse(done.stdout) as A
}

/** What the database says of who holds what. */
const holders = ({ dataDir }: Instance) =>
  withDatabase(
    dataDir,
    Effect.flatMap(
      SqlClient,
      (sql) => sql<{ readonly uuid: string; readonly name: string; readonly accepted: number }>`
        select j.uuid, r.name, j.accepted from runner_job j join runner r on r.id = j.runner_id where j.state = 2`
    )
  )

const claiming = async (instance: Instance, port: number, tokens: ReadonlyArray<string>) => {
  await queue(instance, queued)
  const before = costOf(instance)
  const claims = run<Claims>("claims", { port, tokens })
  const after = costOf(instance)
  const held = new Map((await holders(instance)).map((row) => [row.uuid, row]))
  const twice =
    claims.won.length -
    new Set(claims.won.map(([uuid]) => uuid)).size +
    claims.won.filter(([uuid, runner]) => held.get(uuid)?.name !== `claimer ${runner}`).length +
    [...held.values()].filter(({ accepted }) => accepted !== 1).length
  const figures: ReadonlyArray<Figure> = [
    {
      name: `claims a second, ${claimers} runners at ${queued} jobs`,
      value: claims.won.length / claims.seconds,
      unit: "/s",
      goal: { kind: "at least", value: 200 },
      note: `${claims.requests} requests, ${claims.lost} acceptances were too late; a claim cost the node ${(((after.node - before.node) / claims.won.length) * 1000).toFixed(1)} ms, the database ${(((after.database - before.database) / claims.won.length) * 1000).toFixed(1)} ms of a core`
    },
    {
      name: "jobs claimed twice, or by another than was told",
      value: twice + Math.abs(claims.won.length - queued),
      unit: "",
      goal: { kind: "at most", value: 0 }
    }
  ]
  return figures
}

const working = async (instance: Instance, port: number, tokens: ReadonlyArray<string>) => {
  await queue(instance, doneJobs + warming)
  run<DoneJobs>("jobs", { port, tokens, count: warming })
  const before = costOf(instance)
  const { count, medianMs } = run<DoneJobs>("jobs", { port, tokens, count: doneJobs })
  const after = costOf(instance)
  const ms = (kind: "node" | "database") => ((after[kind] - before[kind]) / count) * 1000
  const figures: ReadonlyArray<Figure> = [
    {
      name: "cost of a runner job, node and database",
      value: ms("node") + ms("database"),
      unit: "ms of a core",
      goal: { kind: "at most", value: 20 },
      note: `node ${ms("node").toFixed(1)}, database ${ms("database").toFixed(1)}; request, accept, two reports, result of a few bytes`
    },
    { name: "a runner job from request to result, median", value: medianMs, unit: "ms" }
  ]
  return figures
}

/** What the node takes while so many seconds pass. */
const idling = async (instance: Instance, seconds: number) => {
  const before = costOf(instance)
  const samples: Array<number> = []
  for (let passed = 0; passed < seconds; passed += 5) {
    await pause(5)
    samples.push(residentMiB(instance.pid))
  }
  const after = costOf(instance)
  return {
    node: ((after.node - before.node) / seconds) * 100,
    database: ((after.database - before.database) / seconds) * 100,
    memory: samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN
  }
}

const waiting = async (instance: Instance, port: number, tokens: ReadonlyArray<string>) => {
  await queue(instance, 0)
  await pause(10)
  const without = await idling(instance, idleSeconds)
  const runners = spawn(process.execPath, [loader, "idle", JSON.stringify({ port, tokens } satisfies RunnerLoad)], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  await new Promise<void>((ready, fail) => {
    runners.stdout.once("data", () => ready())
    runners.once("exit", () => fail(new Error("the idle runners ended")))
  })
  // The first polls of all runners are spread over a minute.
  await pause(35)
  const along = await idling(instance, idleSeconds)
  runners.stdin.end()
  await new Promise<void>((done) => runners.once("close", () => done()))
  const figures: ReadonlyArray<Figure> = [
    {
      name: `${waiters} idle runners, more of a core (node and database)`,
      value: along.node + along.database - without.node - without.database,
      unit: "%",
      goal: { kind: "at most", value: 1 },
      note: `node ${without.node.toFixed(2)} → ${along.node.toFixed(2)} %, database ${without.database.toFixed(2)} → ${along.database.toFixed(2)} %, over ${idleSeconds} s each`
    },
    {
      name: `${waiters} idle runners, more memory of the node`,
      value: along.memory - without.memory,
      unit: "MiB",
      goal: { kind: "at most", value: 64 },
      note: `${without.memory.toFixed(0)} → ${along.memory.toFixed(0)} MiB resident, medians`
    }
  ]
  return figures
}

const data = freshDataDir()
const port = 9530
try {
  const instance = await start(data.dir, port, { KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true" })
  try {
    const token = await login(instance.url)
    const parts = {
      idle: async () => await waiting(instance, port, await register(instance, token, waiters, "waiter")),
      claims: async () => await claiming(instance, port, await register(instance, token, claimers, "claimer")),
      jobs: async () => await working(instance, port, await register(instance, token, 1, "worker"))
    }
    const figures: Array<Figure> = []
    for (const [name, part] of Object.entries(parts)) {
      if (only === undefined || only === name) figures.push(...(await part()))
    }
    write("runners", figures, { runners: "without encoders, in a process of their own on the same machine" })
  } finally {
    await instance.stop()
  }
} finally {
  data.remove()
}
