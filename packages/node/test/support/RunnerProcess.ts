import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CommandResult, type KinoraProcess, root, until } from "./KinoraProcess.ts"

/** The program as operators run it: the bundle of `node scripts/build.ts`, or the one `E2E_RUNNER` names. */
const program = process.env.E2E_RUNNER ?? join(root, "dist/kinora-runner.mjs")

/** A job as the process that does it tells of it on its socket. */
export interface JobInHand {
  readonly uuid: string
  readonly type: string
  readonly phase: "download and encode" | "upload"
  readonly percent: number
}

/** A runner in a process of its own, with a storage of its own. */
export class RunnerProcess {
  readonly folder = mkdtempSync(join(tmpdir(), "kinora-runner-e2e-"))
  readonly name: string
  private readonly core: number | undefined
  child: ChildProcess | undefined
  output = ""

  /** `core` is the one it and its encoders are kept to; any when absent. */
  constructor(name: string, config = "", core?: number) {
    this.name = name
    this.core = core
    writeFileSync(
      join(this.folder, "config.toml"),
      `${config}\n[storage]\ndirectory = "${join(this.folder, "state")}"\n`
    )
    mkdirSync(join(this.folder, "state"))
  }

  private spawn(args: ReadonlyArray<string>) {
    const pinned = this.core === undefined ? [] : ["taskset", "-c", String(this.core)]
    const [command = "", ...rest] = [...pinned, process.execPath, program, ...args]
    return spawn(command, [...rest, "--config", join(this.folder, "config.toml")], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: this.folder }
    })
  }

  /** Runs a command of it until it ends. */
  command(args: ReadonlyArray<string>): Promise<CommandResult> {
    const child = this.spawn(args)
    let out = ""
    let err = ""
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()))
    return new Promise((done) => child.once("close", (code) => done({ code, out, err })))
  }

  /** Registers with a node, with a registration token that is made for it; `url` is the way it takes to the node. */
  async register(node: KinoraProcess, auth: Record<string, string>, url = node.url): Promise<CommandResult> {
    const path = "/api/v1/runners/registration-tokens"
    await fetch(`${node.url}${path}/generate`, { method: "POST", headers: auth })
    const { data } = await node.json<{ data: ReadonlyArray<{ registrationToken: string }> }>(path, auth)
    const token = data[0]?.registrationToken ?? ""
    return await this.command(["register", "--url", url, "--registration-token", token, "--name", this.name])
  }

  /** Begins to work, and waits until it answers. */
  async start(): Promise<void> {
    const child = this.spawn(["start"])
    this.child = child
    this.output = ""
    const keep = (chunk: Buffer) => {
      this.output = (this.output + chunk.toString()).slice(-200_000)
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    await until(`${this.name} to work`, 60, async () => {
      if (child.exitCode !== null) throw new Error(`${this.name} ended at start:\n${this.output}`)
      return this.output.includes("Working for") ? true : undefined
    })
  }

  /** Ends it with a signal and waits until it is gone; gives its exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)))
    child.kill(signal)
    return await ended
  }

  /** What it says it works on; undefined when it does not answer. */
  jobs(): Promise<ReadonlyArray<JobInHand> | undefined> {
    return new Promise((done) => {
      let said = ""
      const socket = connect(join(this.folder, "state/status.sock"))
      socket.setEncoding("utf8").setTimeout(2000, () => socket.destroy(new Error("silent")))
      socket.on("data", (chunk: string) => (said += chunk))
      socket.once("error", () => done(undefined))
      socket.once("end", () => done((JSON.parse(said) as { jobs: ReadonlyArray<JobInHand> }).jobs))
    })
  }

  /** Names of the folders of jobs that are on its disk. */
  work(): ReadonlyArray<string> {
    return readdirSync(join(this.folder, "state/work"))
  }

  async remove(): Promise<void> {
    await this.stop("SIGKILL")
    rmSync(this.folder, { recursive: true, force: true })
  }
}
