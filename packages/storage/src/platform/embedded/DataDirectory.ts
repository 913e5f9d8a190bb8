import { Effect } from "effect"
import { execFile } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { chmod, chown, lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { geteuid, pid } from "node:process"
import { embeddedError, type EmbeddedPostgresError } from "./EmbeddedError.ts"
import type { PostgresBinaries } from "./PostgresBinaries.ts"
import { reachable, type ServerAccount } from "./ServerAccount.ts"

/** The files of one embedded server on disk. */
export interface DataDirectory {
  /** PGDATA, mode 0700, owned by the server's account. */
  readonly data: string
  /** Folder of the unix socket, mode 0700, owned by the server's account. */
  readonly socket: string
  readonly password: string
}

/** Maximum path length of a unix socket on Linux and macOS, minus the socket's own name. */
const longestSocketFolder = 80

const attempt = <A>(what: string, action: () => Promise<A>): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({ try: action, catch: (cause) => embeddedError(what, cause) })

/** Output of a short-lived program, run as the server's account. */
export const runAs = (
  account: ServerAccount,
  command: string,
  args: ReadonlyArray<string>,
  input?: string
): Effect.Effect<string, EmbeddedPostgresError> =>
  Effect.callback((resume) => {
    const who = account.foreign ? { uid: account.uid, gid: account.gid } : {}
    const child = execFile(
      command,
      [...args],
      { ...who, cwd: "/", env: { LC_ALL: "C", TZ: "UTC" } },
      (error, out, err) =>
        resume(error === null ? Effect.succeed(out) : Effect.fail(embeddedError(`${command} failed`, err || error)))
    )
    child.stdin?.end(input)
  })

/**
 * Creates a folder of mode 0700 for the account. An existing one must already belong to the account: in a shared folder
 * such as /tmp somebody else could have put a link there.
 */
const owned = Effect.fnUntraced(function* (account: ServerAccount, path: string) {
  yield* attempt(`${path} cannot be made`, async () => {
    const made = await mkdir(path, { mode: 0o700 }).then(
      () => true,
      (error) => {
        if (error.code !== "EEXIST") throw error
        return false
      }
    )
    if (made && account.foreign) return chown(path, account.uid, account.gid)
    const stats = await lstat(path)
    if (!made && (!stats.isDirectory() || stats.uid !== (account.foreign ? account.uid : geteuid?.()))) {
      throw new Error("it exists and belongs to somebody else")
    }
    await chmod(path, 0o700)
  })
})

/** Reads the password of an existing server, or creates it. If two programs start together, the first wins. */
const password = Effect.fnUntraced(function* (path: string) {
  return yield* attempt(`${path} cannot be used`, async () => {
    await writeFile(path, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" }).catch((error) => {
      if (error.code !== "EEXIST") throw error
    })
    return (await readFile(path, "utf8")).trim()
  })
})

const initialise = Effect.fn("DataDirectory.initialise")(function* (
  account: ServerAccount,
  binaries: PostgresBinaries,
  directory: string,
  target: string,
  secret: string
) {
  yield* Effect.logInfo(`Setting up the database in ${target}`)
  const fresh = join(directory, `data.${pid}`)
  const secretFile = join(directory, `password.${pid}`)
  yield* attempt(`${directory} cannot be written`, async () => {
    await rm(fresh, { recursive: true, force: true })
    await mkdir(fresh, { mode: 0o700 })
    await writeFile(secretFile, secret, { mode: 0o600 })
    if (account.foreign) {
      await chown(fresh, account.uid, account.gid)
      await chown(secretFile, account.uid, account.gid)
    }
  })
  const args = ["--username=kinora", `--pwfile=${secretFile}`, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]
  const locale = binaries.major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : []
  yield* runAs(account, binaries.bin("initdb"), [`--pgdata=${fresh}`, ...args, ...locale, "--no-instructions"]).pipe(
    Effect.ensuring(Effect.promise(() => rm(secretFile, { force: true })))
  )
  yield* runAs(account, binaries.bin("postgres"), ["--single", "-D", fresh, "postgres"], "create database kinora\n")
  yield* Effect.promise(() => rename(fresh, target).catch(() => rm(fresh, { recursive: true, force: true })))
})

const versionOf = (data: string): Effect.Effect<string | undefined> =>
  Effect.promise(() =>
    readFile(join(data, "PG_VERSION"), "utf8").then(
      (text) => text.trim(),
      () => undefined
    )
  )

/**
 * Prepares the folders of a server below `directory`, and runs initdb if there is no database yet. If the server's
 * account has no access to `directory` (root's private home), the data is stored below /var/lib/kinora instead. Fails
 * if a database that must have existed is missing (`existingData`).
 */
export const dataDirectory = Effect.fn("DataDirectory.prepare")(function* (
  account: ServerAccount,
  binaries: PostgresBinaries,
  wanted: string,
  existingData: Effect.Effect<string | undefined>
) {
  const hash = createHash("sha256").update(wanted).digest("hex").slice(0, 12)
  const fits = yield* reachable(account, join(wanted, "data"))
  const directory = fits ? wanted : join("/var/lib/kinora", hash)
  if (!fits) yield* Effect.logInfo(`${wanted} is not accessible to ${account.name}: the database is in ${directory}`)
  const data = join(directory, "data")
  const isNew = (yield* versionOf(data)) === undefined
  const left = isNew ? yield* existingData : undefined
  if (left !== undefined) {
    return yield* embeddedError(
      `There is no database in ${data}, but ${left} shows that an instance was kept here. Nothing was changed. Bring the ` +
        "folder of the database back, or set DATABASE_URL if its database was an external one. To begin a new instance, " +
        "set KINORA_DATA_DIR to an empty folder"
    )
  }
  yield* attempt(`${directory} cannot be made`, async () => {
    await mkdir(directory, { recursive: true, mode: 0o755 })
    await chmod(directory, 0o755)
  })
  const secret = yield* password(join(directory, "password"))
  if (isNew) yield* initialise(account, binaries, directory, data, secret)
  const version = yield* versionOf(data)
  if (version !== String(binaries.major)) {
    return yield* embeddedError(
      `${data} was written by PostgreSQL ${version ?? "of an unknown version"}, this is ${binaries.major}. A data ` +
        "directory cannot be upgraded in place: start the previous version of Kinora, dump the database with pg_dump, " +
        "move the folder away, start this version once, and restore the dump"
    )
  }
  const near = join(directory, "socket")
  const socket = near.length <= longestSocketFolder ? near : join(tmpdir(), `kinora-postgres-${hash}`)
  yield* owned(account, socket)
  return { data, socket, password: secret } satisfies DataDirectory
})
