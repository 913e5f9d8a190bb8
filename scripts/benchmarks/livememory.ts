/**
 * The node's memory under twenty lives that run faster than time, and under lives that begin and end again and again. Minutes of
 * each: KINORA_BENCH_LIVE_MINUTES (10).
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { freshDataDir, login, residentMiB, start } from "./lib/Instance.ts"
import { type BenchLive, createLive, ffmpeg } from "./lib/LivePublisher.ts"
import { type Figure, write } from "./lib/Report.ts"

const minutes = Number(process.env["KINORA_BENCH_LIVE_MINUTES"] ?? 10)
/** As many connections as one address may have. */
const count = 20
/** Seconds of a live in a second: as fast as a busy machine still packages them all, so that nothing waits. */
const pace = 15
/** Lives that begin and end: one every so many seconds stands for one every twenty. */
const every = 2
/** What is compiled and kept for good comes first, and is not counted. */
const settled = 1 / 3
const wait = (time: number) => new Promise((done) => setTimeout(done, time * 1000))
const quiet = ["-nostdin", "-y", "-loglevel", "error"]

/** MiB that memory grows by in an hour: the line nearest to all samples. */
const slopeOf = (samples: ReadonlyArray<readonly [at: number, mib: number]>): number => {
  const mean = (of: 0 | 1) => samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length
  const [at, mib] = [mean(0), mean(1)]
  const together = samples.reduce((sum, [x, y]) => sum + (x - at) * (y - mib), 0)
  return (together / samples.reduce((sum, [x]) => sum + (x - at) ** 2, 0)) * 3_600_000
}

const data = freshDataDir()
const instance = await start(data.dir, 9482, {
  KINORA_LIVE_ENABLED: "true",
  KINORA_LIVE_RTMP_PORT: "19482",
  KINORA_LIVE_TRANSCODING_ENABLED: "false",
  KINORA_LIVE_MAX_INSTANCE_LIVES: "-1",
  KINORA_LIVE_MAX_USER_LIVES: "-1",
  KINORA_LIVE_RECONNECT_GRACE: "1 second"
})

const publish = (file: string, { address }: BenchLive, speed: number): ChildProcess =>
  spawn(
    ffmpeg,
    [...quiet, "-readrate", String(speed), "-stream_loop", "-1", "-i", file, "-c", "copy", "-f", "flv", address],
    { stdio: "ignore" }
  )

const stop = async (child: ChildProcess) => {
  child.kill("SIGKILL")
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
}

/** Runs something for the time of a measurement, and gives the slope of the memory, and what it was at its end. */
const measured = async (during: (until: number) => Promise<void>) => {
  const from = performance.now()
  const until = from + minutes * 60_000
  const samples: Array<readonly [number, number]> = []
  const sampling = setInterval(() => {
    const now = performance.now()
    if (now > from + (until - from) * settled) samples.push([now, residentMiB(instance.pid)])
  }, 1_000)
  await during(until)
  clearInterval(sampling)
  return { slope: slopeOf(samples), last: samples.at(-1)?.[1] ?? 0 }
}

try {
  const token = await login(instance.url)
  const clip = join(data.dir, "clip.flv")
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=2:duration=120"]
  const encode = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "8"]
  spawnSync(ffmpeg, [...quiet, ...picture, ...encode, clip])
  const figures: Array<Figure> = []

  const lives = await Promise.all(
    Array.from({ length: count }, () => createLive(instance.url, token, { permanentLive: true, latencyMode: 2 }))
  )
  const children: Array<ChildProcess> = []
  const steady = await measured(async (until) => {
    for (const live of lives) {
      children.push(publish(clip, live, pace))
      await wait(0.2)
    }
    while (performance.now() < until) await wait(1)
    const ended = children.filter(({ exitCode }) => exitCode !== null).length
    if (ended > 0) throw new Error(`${ended} publishers ended`)
  })
  await Promise.all(children.map(stop))
  figures.push({
    name: `${count} lives, each of ${((minutes * pace) / 60).toFixed(1)} hours`,
    value: steady.slope / pace,
    unit: "MiB per hour of the lives",
    goal: { kind: "at most", value: 0.5 },
    note: `${Math.round(steady.last)} MiB at the end; ${((steady.slope / pace) * 24).toFixed(1)} MiB a day`
  })
  await wait(5)

  let sessions = 0
  const churn = await measured(async (until) => {
    const running: Array<ChildProcess> = []
    while (performance.now() < until) {
      running.push(publish(clip, lives[sessions % count]!, 4))
      sessions += 1
      if (running.length > 4) await stop(running.shift()!)
      await wait(every)
    }
    await Promise.all(running.map(stop))
  })
  figures.push({
    name: `${sessions} lives that began and ended`,
    value: (churn.slope * every) / 20,
    unit: "MiB per hour with one every 20 s",
    goal: { kind: "at most", value: 0.5 },
    note: `${Math.round(churn.last)} MiB at the end`
  })
  write("livememory", figures, { lives: `160x90, ${pace} times as fast as time, segments of 4 s` })
} finally {
  await instance.stop()
  data.remove()
}
