import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { freePort, until } from "../KinoraProcess.ts"

/** A server of another make, in a process of its own. */
export class Peer {
  readonly port: number
  private readonly child: ChildProcess
  private output = ""

  private constructor(port: number, child: ChildProcess) {
    this.port = port
    this.child = child
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`
  }

  /** Starts one of the programs of this folder, with what it is told besides its port, and resolves when it answers. */
  static async start(program: "BotPeer" | "FedifyPeer" | "HostilePeer", ...told: ReadonlyArray<string>): Promise<Peer> {
    const port = await freePort()
    const child = spawn(process.execPath, [join(import.meta.dirname, `${program}.ts`), String(port), ...told], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    const peer = new Peer(port, child)
    const keep = (chunk: Buffer) => {
      peer.output = (peer.output + chunk.toString()).slice(-50_000)
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    await until(`${program} to be ready`, 60, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended:\n${peer.output}`)
      return peer.output.includes("ready") ? true : undefined
    })
    return peer
  }

  /** Has it do something; what it answers as JSON, or its error. */
  async ask<A>(command: string, told: Record<string, string> = {}): Promise<A> {
    const answer = await fetch(`${this.origin}/control/${command}`, { method: "POST", body: JSON.stringify(told) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${command}: ${text}\n${this.output}`)
    return JSON.parse(text) as A
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = new Promise((done) => this.child.once("exit", done))
    this.child.kill("SIGKILL")
    await ended
  }
}
