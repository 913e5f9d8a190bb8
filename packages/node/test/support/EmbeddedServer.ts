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
