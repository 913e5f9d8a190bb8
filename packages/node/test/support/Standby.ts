import * as Database from "@kinora/storage/platform/database/Database"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { embeddedServer, openDatabase } from "./EmbeddedServer.ts"
import { freePort, until } from "./KinoraProcess.ts"

/** Files of a running server that are its own. */
const own = ["postmaster.pid", "postmaster.opts"]

/** A standby of an instance's embedded PostgreSQL, by streaming replication. */
export class Standby {
  private readonly folder: string
  private readonly program: string
  private readonly account: { readonly uid: number; readonly gid: number }
  readonly port: number
  readonly url: string
  private child: ChildProcess | undefined

  private constructor(folder: string, program: string, port: number, password: string) {
    this.folder = folder
    this.program = program
    this.port = port
    this.url = `postgresql://kinora:${encodeURIComponent(password)}@127.0.0.1:${port}/kinora`
    const { gid, uid } = statSync(join(folder, "data", "PG_VERSION"))
    this.account = { uid, gid }
    if (process.getuid?.() !== 0) return
    for (const name of ["backup_label", "standby.signal", "postgresql.auto.conf"]) {
      chownSync(join(folder, "data", name), uid, gid)
    }
  }

  /** Copies the primary while it runs; nothing is started. */
  static async of(dataDir: string): Promise<Standby> {
    const { password, socket } = embeddedServer(dataDir)
    const folder = mkdtempSync(join(tmpdir(), "kinora-standby-"))
    // Where the tests are root's, the server has an account of its own.
    chmodSync(folder, 0o755)
    const database = openDatabase(dataDir)
    const program = await database.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        // One session has to begin and end the copy.
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            const [{ directory }] = (yield* sql`select current_setting('data_directory') as directory`) as [
              { directory: string }
            ]
            yield* sql`select pg_backup_start('standby', true)`
            const copy = join(folder, "data")
            // Files come and go meanwhile: it says so with its status, and replaying the log mends it.
            spawnSync("cp", ["-a", directory, copy])
            for (const file of own) rmSync(join(copy, file), { force: true })
            const [label] = (yield* sql`select labelfile from pg_backup_stop(false)`) as [{ labelfile: string }]
            writeFileSync(join(copy, "backup_label"), label.labelfile)
            return readlinkSync(`/proc/${readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n")[0]}/exe`)
          })
        )
      })
    )
    await database.dispose()
    const copy = join(folder, "data")
    const host = socket.slice(0, socket.lastIndexOf("/"))
    const port = socket.slice(socket.lastIndexOf(".") + 1)
    writeFileSync(join(copy, "standby.signal"), "")
    writeFileSync(
      join(copy, "postgresql.auto.conf"),
      `primary_conninfo = 'host=${host} port=${port} user=kinora password=${password}'\n`
    )
    return new Standby(folder, program, await freePort(), password)
  }

  async start(): Promise<void> {
    this.child = spawn(
      this.program,
      [
        ...["-D", join(this.folder, "data"), "-c", `port=${this.port}`, "-c", "listen_addresses=127.0.0.1"],
        ...["-c", "unix_socket_directories=", "-c", "hot_standby=on"]
      ],
      { ...(process.getuid?.() === 0 ? this.account : {}), cwd: "/", env: { LC_ALL: "C", TZ: "UTC" }, stdio: "pipe" }
    )
    let said = ""
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on("data", (bytes) => (said += String(bytes)))
    await until("the standby to take connections", 30, async () => {
      if (this.child?.exitCode !== null) throw new Error(`the standby ended:\n${said}`)
      return said.includes("ready to accept read-only connections") ? true : undefined
    })
  }

  /** Runs a statement on it. */
  async ask(statement: string): Promise<void> {
    const database = ManagedRuntime.make(
      Database.readOnlyLayer({ url: Redacted.make(this.url), maxConnections: 2, applicationName: "tests" })
    )
    await database.runPromise(Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)))
    await database.dispose()
  }

  /** Ends it at once, as a machine that loses power. */
  async kill(): Promise<void> {
    const child = this.child
    if (child === undefined) return
    this.child = undefined
    if (child.exitCode !== null) return
    // SIGQUIT: an immediate shutdown, which takes its processes along.
    child.kill("SIGQUIT")
    await once(child, "exit")
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
