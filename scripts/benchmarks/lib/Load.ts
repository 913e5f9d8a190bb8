import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What a load run gave. Latencies in milliseconds; loadCpu is the share of one core the generator itself took. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
  readonly bytesPerSecond: number
  readonly loadCpu: number
}

const report = `
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"durationUs":%d,"bytes":%d,"failures":%d,"p50us":%d,"p99us":%d}\\n',
    summary.requests, summary.duration, summary.bytes,
    e.connect + e.read + e.write + e.status + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`

/** Seconds after which an answer is a failure. */
const slowest = 10
/** How long a load takes, unless it is said. */
const usualSeconds = 8

interface LoadOptions {
  readonly seconds?: number
  readonly connections?: number
  readonly headers?: Record<string, string>
  readonly script?: string
}

/** Arguments of bash that run wrk, and say afterwards what processor time it took. */
const argumentsOf = (url: string, options: LoadOptions): ReadonlyArray<string> => {
  const file = join(mkdtempSync(join(tmpdir(), "kinora-wrk-")), "run.lua")
  writeFileSync(file, (options.script ?? "") + report)
  return [
    "-c",
    'wrk "$@"; code=$?; times >&2; exit $code',
    "wrk",
    "-t1",
    `-c${options.connections ?? 20}`,
    `-d${options.seconds ?? usualSeconds}s`,
    `--timeout=${slowest}s`,
    "-s",
    file,
    ...Object.entries(options.headers ?? {}).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    url
  ]
}

const resultOf = (code: number | null, stdout: string, stderr: string, seconds = usualSeconds): LoadResult => {
  if (code !== 0) throw new Error(`wrk (Debian's package of that name) failed:\n${stderr}`)
  const line = /RESULT (.*)/.exec(stdout)
  if (!line?.[1]) throw new Error(`wrk gave no result:\n${stdout}${stderr}`)
  const result = JSON.parse(line[1]) as Record<
    "requests" | "durationUs" | "bytes" | "failures" | "p50us" | "p99us",
    number
  >
  const spent = [...(stderr.trim().split("\n").at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g)]
  return {
    requests: result.requests,
    perSecond: result.requests / (result.durationUs / 1e6),
    p50: result.p50us / 1000,
    p99: result.p99us / 1000,
    failures: result.failures,
    bytesPerSecond: result.bytes / (result.durationUs / 1e6),
    loadCpu: spent.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0) / seconds
  }
}

/**
 * Loads one URL with wrk (Debian's package) over kept-alive connections.
 * `script` is Lua put before the reporting code, for instance to vary a header; `headers` go with every request.
 */
export const load = (url: string, options: LoadOptions = {}): LoadResult => {
  const timeout = ((options.seconds ?? usualSeconds) + slowest + 30) * 1000
  const run = spawnSync("bash", argumentsOf(url, options), { encoding: "utf8", timeout })
  return resultOf(run.status, run.stdout, run.stderr, options.seconds)
}

/** As `load`, while other things go on. */
export const loading = (url: string, options: LoadOptions = {}): Promise<LoadResult> =>
  new Promise((done, failed) => {
    const child = spawn("bash", argumentsOf(url, options), { stdio: ["ignore", "pipe", "pipe"] })
    let [out, err] = ["", ""]
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString()))
    child.stderr.on("data", (piece: Buffer) => (err += piece.toString()))
    child.once("error", failed)
    child.once("close", (code) => {
      try {
        done(resultOf(code, out, err, options.seconds))
      } catch (error) {
        failed(error)
      }
    })
  })

/**
 * Lets this process see which of its own connections were closed while it waited for a load: the next request would else go
 * out over one of them and fail.
 */
export const afterLoads = (): Promise<void> => new Promise((done) => setTimeout(done, 100))
