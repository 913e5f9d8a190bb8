import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { until } from "../../KinoraProcess.ts"

/** A program that is killed and started again with the same arguments. */
export class Spawned {
  private readonly name: string
  private readonly command: ReadonlyArray<string>
  private readonly ready: RegExp
  private child: ChildProcess | undefined

  /** `ready`: what it says once it answers. */
  constructor(name: string, command: ReadonlyArray<string>, ready: RegExp) {
    this.name = name
    this.command = command
    this.ready = ready
  }

  async start(): Promise<void> {
    const [program = "", ...args] = this.command
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
    this.child = child
    let said = ""
    const keep = (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-10_000))
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    await until(`${this.name} to answer`, 60, async () => {
      if (child.exitCode !== null) throw new Error(`${this.name} ended at start: ${said}`)
      return this.ready.test(said) ? true : undefined
    })
  }

  async kill(): Promise<void> {
    const child = this.child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
  }
}
