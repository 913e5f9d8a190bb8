import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { performance } from "node:perf_hooks"

/** The repository's top folder. */
export const root = resolve(import.meta.dirname, "../../..")

/** A running Kinora, started as `scripts/start` starts it: the bundle with its compile cache. */
export interface Instance {
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Milliseconds from the spawn to the first 200 of the video list. */
  readonly startedMs: number
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

export const password = "bench-password"

/** Rate limits raised by configuration, as an operator would; nothing else differs from the defaults. */
const raisedLimits = Object.fromEntries(
  ["API", "LOGIN", "WELL_KNOWN", "FEEDS", "ACTIVITY_PUB", "CLIENT"].map((name) => [
    `KINORA_RATES_LIMIT_${name}_MAX`,
    "100000000"
  ])
)

/** A fresh data directory below the temporary folder; `remove` deletes it. */
export const freshDataDir = () => {
  const dir = mkdtempSync(join(tmpdir(), "kinora-bench-"))
  chmodSync(dir, 0o755)
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Starts the program and waits for the first list answer. Fails with the program's own output when it ends before. */
export const start = async (dataDir: string, port: number, env: Record<string, string> = {}): Promise<Instance> => {
  const url = `http://127.0.0.1:${port}`
  const from = performance.now()
  const child: ChildProcess = spawn(
    process.execPath,
    [process.env["KINORA_BENCH_PROGRAM"] ?? join(root, "dist/kinora.mjs"), "serve"],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(root, ".cache/compile"),
        KINORA_DATA_DIR: dataDir,
        KINORA_LISTEN_PORT: String(port),
        KINORA_WEBSERVER_PORT: String(port),
        KINORA_ROOT_PASSWORD: password,
        KINORA_LOG_LEVEL: "warn",
        ...raisedLimits,
        ...env
      }
    }
  )
  let output = ""
  let last = ""
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8_000)
  }
  child.stdout?.on("data", keep)
  child.stderr?.on("data", keep)
  const ended = new Promise<void>((done) => child.once("exit", () => done()))
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the node ended at start:\n${output}`)
    if (performance.now() - from > 120_000) {
      child.kill()
      throw new Error(`no list within 120 s, last answer: ${last}\n${output}`)
    }
    const answer = await fetch(`${url}/api/v1/videos?count=15`).catch(() => undefined)
    last = answer === undefined ? "none" : `${answer.status}`
    if (answer?.status === 200) {
      await answer.arrayBuffer()
      break
    }
    await new Promise((next) => setTimeout(next, 5))
  }
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    startedMs: performance.now() - from,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal)
      await ended
    }
  }
}

/** Resident memory of one process, MiB, as the kernel counts it (VmRSS of /proc, Linux only). */
export const residentMiB = (pid: number): number => {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return line ? Number(line[1]) / 1024 : Number.NaN
}

/** Logs in with the password grant and gives the access token. */
export const login = async (url: string, username = "root", secret = password): Promise<string> => {
  const client = (await (await fetch(`${url}/api/v1/oauth-clients/local`)).json()) as Record<string, string>
  const answer = await fetch(`${url}/api/v1/users/token`, {
    method: "POST",
    body: new URLSearchParams({ ...client, grant_type: "password", response_type: "code", username, password: secret })
  })
  const body = (await answer.json()) as { access_token?: string }
  if (!body.access_token) throw new Error(`no token: ${answer.status} ${JSON.stringify(body)}`)
  return body.access_token
}
