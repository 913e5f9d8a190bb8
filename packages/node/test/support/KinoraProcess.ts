import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { prepareDatabase } from "./PreparedDatabase.ts"

/** The repository's top folder. */
export const root = resolve(import.meta.dirname, "../../../..")

/** The bundle under test: the one of `node scripts/build.ts`, or the one `E2E_BUNDLE` names. */
export const bundle = process.env.E2E_BUNDLE ?? join(root, "dist/kinora.mjs")

/** The administrator's password in every end-to-end test. */
export const rootPassword = "correct-horse-battery"

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.once("error", fail)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => (typeof address === "object" && address ? done(address.port) : fail(new Error("no port"))))
    })
  })

/**
 * Tries until the condition gives something other than undefined, at most `seconds`.
 * The pause between tries only spares the machine: nothing depends on its length.
 */
export const until = async <A>(what: string, seconds: number, condition: () => Promise<A | undefined>): Promise<A> => {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const found = await condition()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`waited ${seconds} s for: ${what}`)
    await new Promise((next) => setTimeout(next, 40))
  }
}

/** What a command that ended gave. */
export interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A command that may still run. */
export interface RunningCommand {
  readonly ended: Promise<CommandResult>
  readonly said: () => string
  readonly kill: () => void
}

/** The program as a person runs it: the bundle in a process of its own, with a data directory of its own. */
export class KinoraProcess {
  readonly dataDir: string
  readonly port: number
  readonly env: Record<string, string>
  child: ChildProcess | undefined
  private said: Array<Buffer> = []
  private bytes = 0

  private constructor(dataDir: string, port: number, env: Record<string, string>) {
    this.dataDir = dataDir
    this.port = port
    this.env = env
  }

  /** The last of what it wrote, at most about 200 kB. */
  get output() {
    return Buffer.concat(this.said).toString()
  }

  get url() {
    return `http://127.0.0.1:${this.port}`
  }

  /** Makes a data directory and a port; nothing runs yet. */
  static async create(env: Record<string, string> = {}): Promise<KinoraProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), "kinora-e2e-"))
    // The database's own account must be able to pass, else the program puts the database elsewhere.
    chmodSync(dataDir, 0o755)
    return new KinoraProcess(dataDir, await freePort(), env)
  }

  /** Spawns the program, the first time over an empty database that is ready; resolves when the video list answers 200. */
  async start(extra: Record<string, string> = {}): Promise<void> {
    const env = this.environment(extra)
    const folder = env["KINORA_DATA_DIR"]!
    if (env["DATABASE_URL"] === undefined && readdirSync(folder).length === 0) await prepareDatabase(bundle, folder)
    await this.startAsItIs(extra)
  }

  /** Spawns the program over whatever its data folder holds; resolves as `start` does. */
  async startAsItIs(extra: Record<string, string> = {}): Promise<void> {
    this.spawn(extra)
    await until("the first list answer", 90, async () => {
      if (this.child?.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`ended at start:\n${this.output}`)
      const answer = await this.get("/api/v1/videos").catch(() => undefined)
      return answer?.status === 200 ? true : undefined
    })
  }

  /** The environment every command of this instance runs in. */
  private environment(extra: Record<string, string>): NodeJS.ProcessEnv {
    if (!existsSync(bundle))
      throw new Error(`${bundle} is missing: node scripts/build.ts && node packages/web/build.ts`)
    // These are for the tests, and the program would warn of them.
    const { KINORA_ACCEPT_PICTURES: _, KINORA_TEST_PICTURES: __, ...inherited } = process.env
    return {
      ...inherited,
      KINORA_DATA_DIR: this.dataDir,
      KINORA_LISTEN_PORT: String(this.port),
      KINORA_LISTEN_HOSTNAME: "127.0.0.1",
      KINORA_WEBSERVER_HOSTNAME: "127.0.0.1",
      KINORA_WEBSERVER_PORT: String(this.port),
      KINORA_ROOT_PASSWORD: rootPassword,
      KINORA_RATES_LIMIT_API_MAX: "100000",
      // No test of these is about how well pictures are encoded.
      KINORA_TRANSCODING_PRESET: "ultrafast",
      KINORA_RATES_LIMIT_LOGIN_MAX: "100000",
      KINORA_RATES_LIMIT_CLIENT_MAX: "100000",
      ...this.env,
      ...extra
    }
  }

  /** Spawns the program and returns at once. */
  spawn(extra: Record<string, string> = {}, args: ReadonlyArray<string> = []): ChildProcess {
    const child = spawn(process.execPath, [bundle, "serve", ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: this.environment(extra)
    })
    this.child = child
    this.said = []
    this.bytes = 0
    const keep = (chunk: Buffer) => {
      this.said.push(chunk)
      this.bytes += chunk.length
      if (this.bytes < 400_000) return
      this.said = [Buffer.concat(this.said).subarray(-200_000)]
      this.bytes = 200_000
    }
    child.stdout?.on("data", keep)
    child.stderr?.on("data", keep)
    return child
  }

  /** Runs another command of the program over the same data directory until it ends. */
  command(args: ReadonlyArray<string>, stdin = "", extra: Record<string, string> = {}): Promise<CommandResult> {
    return this.begin(args, stdin, extra).ended
  }

  /** Begins such a command. */
  begin(args: ReadonlyArray<string>, stdin = "", extra: Record<string, string> = {}): RunningCommand {
    const child = spawn(process.execPath, [bundle, ...args], { cwd: root, env: this.environment(extra) })
    let out = ""
    let err = ""
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()))
    child.stdin.on("error", () => undefined)
    child.stdin.end(stdin)
    const ended = new Promise<CommandResult>((done) => child.once("close", (code) => done({ code, out, err })))
    return { ended, said: () => out + err, kill: () => void child.kill("SIGKILL") }
  }

  /** Waits for the program to end by itself; gives its exit code. */
  async exit(seconds: number): Promise<number | null> {
    return await until("the program to end", seconds, async () =>
      this.child !== undefined && (this.child.exitCode !== null || this.child.signalCode !== null)
        ? { code: this.child.exitCode }
        : undefined
    ).then(({ code }) => code)
  }

  /** Ends the program with a signal and waits until it is gone; gives its exit code (null when the signal killed it). */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const child = this.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)))
    child.kill(signal)
    return await ended
  }

  /** Stops and deletes the data directory. An orphaned database of a killed node is stopped by a clean start and stop first. */
  async remove(): Promise<void> {
    if (this.child?.signalCode === "SIGKILL") await this.start()
    await this.stop()
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers, redirect: "manual" })
  }

  /** JSON of a 200 answer; anything else fails with status and body. */
  async json<A>(path: string, headers: Record<string, string> = {}): Promise<A> {
    const answer = await this.get(path, headers)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as A
  }

  /** Logs in with the password grant; gives the headers that carry the token. */
  async login(username = "root", password = rootPassword): Promise<Record<string, string>> {
    const client = await this.json<Record<string, string>>("/api/v1/oauth-clients/local")
    const answer = await fetch(`${this.url}/api/v1/users/token`, {
      method: "POST",
      body: new URLSearchParams({ ...client, grant_type: "password", response_type: "code", username, password })
    })
    const body = (await answer.json()) as { access_token?: string }
    if (answer.status !== 200 || !body.access_token) throw new Error(`login: ${answer.status} ${JSON.stringify(body)}`)
    return { authorization: `Bearer ${body.access_token}` }
  }
}
