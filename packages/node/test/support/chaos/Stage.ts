import { readFileSync } from "node:fs"
import { join } from "node:path"
import { cachedClip } from "../../../../media/test/support/CachedClip.ts"
import { embeddedServer } from "../EmbeddedServer.ts"
import { freePort, KinoraProcess } from "../KinoraProcess.ts"
import { RunnerProcess } from "../RunnerProcess.ts"
import { Cable } from "./Cable.ts"
import { Gate } from "./Gate.ts"
import { Rows } from "./Rows.ts"

/** Seconds of the clip, and the heights that its ladder has. */
export const clipSeconds = 4
export const heights = [240, 360] as const

/** A clip that is encoded quickly: what must last is held. */
export const makeClip = (seconds = clipSeconds): string =>
  cachedClip("chaos.mp4", [
    ...["-f", "lavfi", "-i", `testsrc2=size=640x360:rate=25:duration=${seconds}`],
    ...["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"]
  ])

const environment = {
  KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
  KINORA_REMOTE_RUNNERS_STALLED_JOBS_VOD: "22 seconds",
  // Parts are to last until somebody is killed at them.
  KINORA_TRANSCODING_PRESET: "veryfast",
  ...Object.fromEntries(["480P", "720P", "1080P"].map((it) => [`KINORA_TRANSCODING_RESOLUTIONS_${it}`, "false"]))
}

/** Seconds of a clip that has some parts. */
export const splitSeconds = 16

/** What makes a ladder of that clip go out in parts. */
export const splitting = {
  KINORA_TRANSCODING_REMOTE_RUNNERS_SPLIT_MIN_DURATION: "1 second",
  KINORA_TRANSCODING_REMOTE_RUNNERS_SPLIT_PART_DURATION: "4 seconds"
}

/** What makes an instance take every job of runners itself. */
export const atOnce = { KINORA_TRANSCODING_REMOTE_RUNNERS_LOCAL_AFTER: "0 seconds" }

const runnerConfig = `concurrency = 1\npoll_seconds = 5\n[media]\nthreads = 1`

/** How a stage differs from the usual one. */
export interface StageOptions {
  /** Whether the instance reaches its database through a cable, in place of its own server beside it. */
  readonly external?: boolean
  readonly env?: Record<string, string>
  /** Whether there are no runners, as after all have died. */
  readonly alone?: boolean
}

/** An instance, two runners that reach it through gates, and a look into its database. */
export class Stage {
  readonly node: KinoraProcess
  readonly runners: ReadonlyArray<{ readonly process: RunnerProcess; readonly gate: Gate }>
  readonly rows: Rows
  readonly cable: Cable | undefined
  /** The data directory in which the database server lives. */
  readonly postgres: string
  auth: Record<string, string> = {}
  private readonly host: KinoraProcess | undefined

  private constructor(
    node: KinoraProcess,
    runners: Stage["runners"],
    rows: Rows,
    external: { readonly host: KinoraProcess; readonly cable: Cable } | undefined
  ) {
    this.node = node
    this.runners = runners
    this.rows = rows
    this.host = external?.host
    this.cable = external?.cable
    this.postgres = external?.host.dataDir ?? node.dataDir
  }

  static async create(options: StageOptions = {}): Promise<Stage> {
    const env = { ...environment, ...options.env }
    const external = options.external === true ? await Stage.lend() : undefined
    const node = await KinoraProcess.create({ ...env, ...(external && { DATABASE_URL: external.far }) })
    await node.start()
    const { password, socket } = embeddedServer(external?.host.dataDir ?? node.dataDir)
    const near = `postgresql://kinora:${encodeURIComponent(password)}@localhost`
    const rows = new Rows(
      `${near}/${external === undefined ? "kinora" : "postgres"}?host=${encodeURIComponent(join(socket, ".."))}`
    )
    const runners = []
    for (const name of options.alone === true ? [] : ["one", "two"]) {
      const gate = new Gate(await freePort(), node.port)
      await gate.open()
      runners.push({ process: new RunnerProcess(name, runnerConfig), gate })
    }
    const stage = new Stage(node, runners, rows, external)
    stage.auth = await node.login()
    for (const { gate, process } of runners) {
      const registered = await process.register(node, stage.auth, gate.url)
      if (registered.code !== 0) throw new Error(`${process.name} is not registered: ${registered.err}`)
      await process.start()
    }
    return stage
  }

  /** A first instance lends its server to the one that is tried. */
  private static async lend() {
    const host = await KinoraProcess.create()
    await host.start()
    const { password, socket } = embeddedServer(host.dataDir)
    const cable = new Cable(await freePort(), socket)
    await cable.plug()
    return {
      host,
      cable,
      far: `postgresql://kinora:${encodeURIComponent(password)}@127.0.0.1:${cable.port}/postgres`
    }
  }

  /** Process id of the database server. */
  postmaster(): number {
    return Number(readFileSync(join(this.postgres, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])
  }

  /** All that was said, for those who look for a mistake. */
  get output(): string {
    const said = (name: string, text: string) => `--- ${name}\n${text.slice(-8000)}\n`
    return [
      said("node", this.node.output),
      ...this.runners.map(({ process }) => said(process.name, process.output))
    ].join("")
  }

  release(): void {
    for (const { gate } of this.runners) gate.release()
  }

  async remove(): Promise<void> {
    await Promise.all(this.runners.map(({ process }) => process.remove()))
    await Promise.all(this.runners.map(({ gate }) => gate.close()))
    await this.rows.close()
    await this.node.remove()
    await this.cable?.pull()
    await this.host?.remove()
  }
}
