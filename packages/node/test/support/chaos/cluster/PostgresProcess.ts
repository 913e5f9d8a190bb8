import { EmbeddedPostgres } from "@kinora/storage/platform/embedded/EmbeddedPostgres"
import { Effect, Layer, ManagedRuntime } from "effect"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { kill } from "node:process"
import { embeddedServer } from "../../EmbeddedServer.ts"
import { bundle, root, until } from "../../KinoraProcess.ts"
import { prepareDatabase } from "../../PreparedDatabase.ts"

const runs = (pid: number): boolean => {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

/** A PostgreSQL server of its own, with a database that is set up: it can be killed, and started again over its data. */
export class PostgresProcess {
  readonly folder = mkdtempSync(join(tmpdir(), "kinora-postgres-"))

  static async create(): Promise<PostgresProcess> {
    const server = new PostgresProcess()
    // Where the tests are root's, the server has an account of its own.
    chmodSync(server.folder, 0o755)
    await prepareDatabase(bundle, server.folder)
    await server.start()
    return server
  }

  /** As a service manager would; waits until it takes connections. */
  async start(): Promise<void> {
    const runtime = ManagedRuntime.make(
      Layer.orDie(
        EmbeddedPostgres.layer({
          directory: join(this.folder, "postgres"),
          logsDirectory: join(this.folder, "logs"),
          cacheDirectory: join(root, ".cache/postgres"),
          keepRunning: true,
          parameters: { max_connections: "120" }
        })
      )
    )
    await runtime.runPromise(Effect.asVoid(EmbeddedPostgres))
    await runtime.dispose()
  }

  get socket(): string {
    return embeddedServer(this.folder).socket
  }

  /** The database's address by the socket, or by a port of 127.0.0.1 that leads to it. */
  url(port?: number): string {
    const { password, socket } = embeddedServer(this.folder)
    const place = port === undefined ? "localhost" : `127.0.0.1:${port}`
    const folder = encodeURIComponent(join(socket, ".."))
    return `postgresql://kinora:${encodeURIComponent(password)}@${place}/kinora${port === undefined ? `?host=${folder}` : ""}`
  }

  private pid(): number {
    return Number(readFileSync(join(this.folder, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const pid = this.pid()
    if (runs(pid)) kill(pid, signal)
    await until("the database to be gone", 60, async () => (runs(pid) ? undefined : true))
  }

  async remove(): Promise<void> {
    await this.stop("SIGINT").catch(() => undefined)
    rmSync(this.folder, { recursive: true, force: true })
  }
}
