import { DateTime, Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { spawn } from "node:child_process"
import { createWriteStream } from "node:fs"
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { BackupFailed } from "./BackupFailed.ts"
import { dumpLines } from "./LogicalDump.ts"

interface BackupOptions {
  readonly directory: string
  /** Newest migration the database has: part of the file's name. */
  readonly version: number
  readonly url: string | undefined
}

const run = (command: string, args: ReadonlyArray<string>): Effect.Effect<string, BackupFailed> =>
  Effect.callback<string, BackupFailed>((resume) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    let errors = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (output += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => void (errors += text))
    child.on("error", (cause) => resume(Effect.fail(new BackupFailed({ message: `${command}: ${cause.message}` }))))
    child.on("close", (code) =>
      resume(
        code === 0 ? Effect.succeed(output) : Effect.fail(new BackupFailed({ message: `${command}: ${errors.trim()}` }))
      )
    )
    return Effect.sync(() => void child.kill())
  })

/** Whether `pg_dump` is installed and not older than the server: an older one refuses to dump. */
const pgDumpFits = Effect.fn("Backup.pgDumpFits")(function* (sql: SqlClient) {
  const version = yield* run("pg_dump", ["--version"]).pipe(Effect.catch(() => Effect.succeed("")))
  const major = Number(/\) (\d+)/.exec(version)?.[1] ?? 0)
  const rows = yield* sql<{ major: number }>`select current_setting('server_version_num')::int / 10000 as major`
  return major >= rows[0]!.major
})

/** The password goes through a file of mode 0600: everybody can read the arguments of a process. */
const withPgDump = Effect.fnUntraced(function* (url: string, path: string) {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ""
  const secret = `${path}.secret`
  address.searchParams.set("passfile", secret)
  yield* Effect.tryPromise({
    try: () => writeFile(secret, `*:*:*:*:${password.replaceAll(/[\\:]/g, "\\$&")}\n`, { mode: 0o600 }),
    catch: (cause) => new BackupFailed({ message: `${secret}: ${String(cause)}` })
  })
  yield* run("pg_dump", ["--format=custom", "--no-owner", `--file=${path}`, `--dbname=${address.href}`]).pipe(
    Effect.ensuring(Effect.promise(() => rm(secret, { force: true })))
  )
})

const withSelects = Effect.fn("Backup.withSelects")(function* (sql: SqlClient, path: string) {
  const file = createWriteStream(path, { mode: 0o600 })
  const zip = createGzip()
  zip.pipe(file)
  const write = (lines: ReadonlyArray<string>) =>
    Effect.callback<void, BackupFailed>((resume) => {
      zip.write(lines.join("\n") + "\n", (error) =>
        resume(error ? Effect.fail(new BackupFailed({ message: error.message })) : Effect.void)
      )
    })
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe("set transaction isolation level repeatable read, read only")
      // A table is one statement, however large it is.
      yield* sql.unsafe("set local statement_timeout = 0")
      yield* dumpLines(sql).pipe(Stream.runForEachArray(write))
    })
  )
  yield* Effect.tryPromise({
    try: async () => {
      zip.end()
      await finished(file)
    },
    catch: (cause) => new BackupFailed({ message: `${path}: ${String(cause)}` })
  })
})

/**
 * Dumps the database into `directory` before an upgrade and answers the file's path: by `pg_dump` where it fits, else as
 * gzipped INSERT statements. To restore the latter: on an empty database run the old version's `kinora migrate`, then
 * `gunzip -c <file> | psql <url>`; to restore the former: `pg_restore --no-owner --dbname=<url> <file>`.
 */
export const backup = Effect.fn("Backup.backup")(function* (sql: SqlClient, options: BackupOptions) {
  const now = DateTime.formatIso(yield* DateTime.now).replaceAll(/[:.]/g, "-")
  const native = options.url !== undefined && (yield* pgDumpFits(sql))
  const name = `before-upgrade-from-${options.version}-${now}.${native ? "dump" : "sql.gz"}`
  const path = join(options.directory, name)
  const partial = `${path}.partial`
  yield* Effect.logInfo(`Dumping the database to ${path} before the upgrade`)
  const io = <A>(action: () => Promise<A>) =>
    Effect.tryPromise({ try: action, catch: (cause) => new BackupFailed({ message: `${path}: ${String(cause)}` }) })
  yield* io(() => mkdir(options.directory, { recursive: true, mode: 0o700 }))
  yield* (native ? withPgDump(options.url!, partial) : withSelects(sql, partial)).pipe(
    Effect.tapError(() => Effect.ignore(io(() => rm(partial, { force: true }))))
  )
  yield* io(() => chmod(partial, 0o600))
  yield* io(() => rename(partial, path))
  return path
})
