import * as Database from "@kinora/storage/platform/database/Database"
import { Layer, ManagedRuntime, Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** How to reach the embedded PostgreSQL of an instance that runs over this data directory: as root or its own account. */
export const embeddedServer = (dataDir: string): { readonly password: string; readonly socket: string } => {
  const directory = join(dataDir, "postgres")
  const socket = readdirSync(directory, { recursive: true, encoding: "utf8" }).find((name) =>
    /\.s\.PGSQL\.\d+$/.test(name)
  )
  if (socket === undefined) throw new Error(`no socket below ${directory}`)
  return { password: readFileSync(join(directory, "password"), "utf8").trim(), socket: join(directory, socket) }
}

/** Address of that database for a program that does not bring it. */
export const databaseUrl = (dataDir: string): string => {
  const { password, socket } = embeddedServer(dataDir)
  const folder = encodeURIComponent(socket.slice(0, socket.lastIndexOf("/")))
  return `postgresql://kinora:${encodeURIComponent(password)}@localhost/kinora?host=${folder}`
}

/** Connections to it; they end with `dispose`. */
export const openDatabase = (dataDir: string) =>
  ManagedRuntime.make(
    Database.layer({ url: Redacted.make(databaseUrl(dataDir)), maxConnections: 2, applicationName: "tests" }).pipe(
      Layer.orDie
    ) as Layer.Layer<SqlClient>
  )
