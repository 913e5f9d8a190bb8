import { execFileSync } from "node:child_process"
import { chmodSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort, KinoraProcess } from "../../KinoraProcess.ts"
import { Cable } from "../Cable.ts"
import type { Address } from "./Balancer.ts"
import { clockFrom } from "./Settings.ts"

/** How a node differs from others. */
export interface NodeOptions {
  readonly env: Record<string, string>
  readonly database: string
  /** The database's address by a port. */
  readonly urlBy: (port: number) => string
  /** Whether its clock can be moved. */
  readonly clock: boolean
  /** Whether its folder is a small file system of its own, which can be filled. */
  readonly small: boolean
}

/** A node, and its ways to the database and from other nodes to it, which can be disturbed. */
export class ClusterNode {
  readonly process: KinoraProcess
  readonly toDatabase: Cable
  readonly fromOthers: Cable
  /** File with the error of its clock; undefined where it cannot be moved. */
  private readonly clock: string | undefined
  readonly isSmall: boolean
  private readonly runsWith: Record<string, string>

  private constructor(
    process: KinoraProcess,
    cables: { readonly toDatabase: Cable; readonly fromOthers: Cable },
    clock: { readonly file: string; readonly env: Record<string, string> } | undefined,
    isSmall: boolean
  ) {
    this.process = process
    this.toDatabase = cables.toDatabase
    this.fromOthers = cables.fromOthers
    this.clock = clock?.file
    this.runsWith = clock?.env ?? {}
    this.isSmall = isSmall
  }

  static async create({ clock, database, env, small, urlBy }: NodeOptions): Promise<ClusterNode> {
    const [toDatabase, listen] = [new Cable(await freePort(), database), await freePort()]
    const [fromOthers, readyPort] = [new Cable(await freePort(), listen), await freePort()]
    await Promise.all([toDatabase.plug(), fromOthers.plug()])
    const process = await KinoraProcess.create({
      ...env,
      DATABASE_URL: urlBy(toDatabase.port),
      KINORA_CLUSTER_LISTEN_PORT: String(listen),
      KINORA_CLUSTER_ADDRESS_PORT: String(fromOthers.port),
      KINORA_OPEN_TELEMETRY_METRICS_ENABLED: "true",
      KINORA_OPEN_TELEMETRY_METRICS_PROMETHEUS_EXPORTER_PORT: String(readyPort)
    })
    const file = `${process.dataDir}.clock`
    const faked = clock ? clockFrom(file) : undefined
    if (faked !== undefined) writeFileSync(file, "+0\n")
    const isSmall = small && mounted(process.dataDir)
    chmodSync(process.dataDir, 0o755)
    return new ClusterNode(
      process,
      { toDatabase, fromOthers },
      faked === undefined ? undefined : { file, env: faked },
      isSmall
    )
  }

  /** Where others reach it, as the cluster names it. */
  get address(): string {
    return `127.0.0.1:${this.fromOthers.port}`
  }

  /** Where the reverse proxy finds it. */
  get answersAt(): Address {
    return {
      port: this.process.port,
      readyPort: Number(this.process.env["KINORA_OPEN_TELEMETRY_METRICS_PROMETHEUS_EXPORTER_PORT"])
    }
  }

  get hasClock(): boolean {
    return this.clock !== undefined
  }

  start(): Promise<void> {
    return this.process.start(this.runsWith)
  }

  async kill(): Promise<void> {
    await this.process.stop("SIGKILL")
  }

  get isDead(): boolean {
    const { child } = this.process
    return child === undefined || child.exitCode !== null || child.signalCode !== null
  }

  /** Sets its clock wrong by so many seconds, as it runs. */
  moveClock(seconds: number): void {
    if (this.clock !== undefined) writeFileSync(this.clock, `${seconds < 0 ? "" : "+"}${seconds}\n`)
  }

  get ballast(): string {
    return join(this.process.dataDir, "ballast")
  }

  async remove(): Promise<void> {
    await this.process.stop("SIGKILL")
    await Promise.all([this.toDatabase.pull(), this.fromOthers.pull()])
    if (this.isSmall) execFileSync("umount", ["--lazy", this.process.dataDir])
    rmSync(this.process.dataDir, { recursive: true, force: true })
    if (this.clock !== undefined) rmSync(this.clock, { force: true })
  }
}

/** A file system of its own for the folder, where this process may mount one. */
const mounted = (folder: string): boolean => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=200m,mode=755", "tmpfs", folder], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
