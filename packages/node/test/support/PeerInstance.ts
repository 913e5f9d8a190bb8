import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { ExternalDatabase } from "./ExternalDatabase.ts"

const fixture = (name: string): string =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, "../fixtures/peer-instance", name))).toString()

/** The public address of the instance in the fixture: a PeerTube 6.3 that was made for trials. */
export const peerOrigin = "http://localhost:26500"

/** Configuration of an instance at its address. */
export const atPeerAddress: Record<string, string> = {
  KINORA_WEBSERVER_HOSTNAME: "localhost",
  KINORA_WEBSERVER_PORT: "26500",
  KINORA_WEBSERVER_HTTPS: "false"
}

/** A database with the rows of the fixture. */
export const peerDatabase = async (): Promise<ExternalDatabase> => {
  const database = await ExternalDatabase.create()
  // The wire protocol takes one statement a time, EXECUTE takes all of them.
  await change(database, `do $peer$ begin execute $peer_script$${fixture("database.sql.br")}$peer_script$; end $peer$`)
  return database
}

/** Runs statements in a database. */
export const change = async (database: ExternalDatabase, ...statements: ReadonlyArray<string>): Promise<void> => {
  const runtime = database.open()
  for (const statement of statements) {
    await runtime.runPromise(Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)))
  }
  await runtime.dispose()
}

/** Rows of a statement. */
export const rowsOf = async <A extends object>(
  database: ExternalDatabase,
  statement: string
): Promise<ReadonlyArray<A>> => {
  const runtime = database.open()
  const rows = await runtime.runPromise(Effect.flatMap(SqlClient, (sql) => sql.unsafe<A>(statement)))
  await runtime.dispose()
  return rows
}

/** A new folder with the files of the fixture. */
export const peerStorage = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "kinora-peer-"))
  for (const [path, content] of Object.entries(JSON.parse(fixture("storage.json.br")) as Record<string, string>)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(content, "base64"))
  }
  return folder
}
