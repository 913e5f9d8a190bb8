import { Effect } from "effect"
import { execFile } from "node:child_process"
import { lstat, readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { getegid, geteuid } from "node:process"
import { embeddedError, type EmbeddedPostgresError } from "./EmbeddedError.ts"

/** The account PostgreSQL runs as. `foreign` is true if it differs from the account of this process. */
export interface ServerAccount {
  readonly uid: number
  readonly gid: number
  readonly name: string
  readonly foreign: boolean
}

const accountName = "kinora-postgres"
const nobody = 65_534

const readPasswd = Effect.tryPromise({
  try: () => readFile("/etc/passwd", "utf8"),
  catch: (cause) => embeddedError("/etc/passwd cannot be read", cause)
}).pipe(
  Effect.map((text) =>
    text
      .split("\n")
      .map((line) => line.split(":"))
      .filter((fields) => fields.length >= 4)
  )
)

const find = Effect.fnUntraced(function* (matches: (fields: ReadonlyArray<string>) => boolean) {
  const fields = (yield* readPasswd).find(matches)
  return fields === undefined
    ? undefined
    : ({ name: fields[0]!, uid: Number(fields[2]), gid: Number(fields[3]), foreign: true } satisfies ServerAccount)
})

const create = Effect.callback<boolean>((resume) => {
  const args = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
  execFile("useradd", [...args, "--shell", "/usr/sbin/nologin", accountName], (error) =>
    resume(Effect.succeed(error === null))
  )
})

/**
 * PostgreSQL refuses to run as root. For root we use the system user `kinora-postgres`, created if missing, or `nobody`
 * if users cannot be created. Other users run it as themselves.
 */
export const serverAccount: Effect.Effect<ServerAccount, EmbeddedPostgresError> = Effect.gen(function* () {
  const uid = geteuid?.()
  if (uid === undefined || uid !== 0) return { uid: uid ?? -1, gid: getegid?.() ?? -1, name: "", foreign: false }
  const byName = find((fields) => fields[0] === accountName)
  const existing = yield* byName
  if (existing !== undefined) return existing
  if (yield* create) {
    const made = yield* byName
    if (made !== undefined) return made
  }
  const unprivileged = yield* find((fields) => Number(fields[2]) === nobody)
  if (unprivileged !== undefined) {
    yield* Effect.logWarning(`The user ${accountName} cannot be made: PostgreSQL runs as ${unprivileged.name}`)
    return unprivileged
  }
  return yield* embeddedError(
    "PostgreSQL cannot run as root, and no unprivileged user can be made. " +
      "Start Kinora as another user, or set DATABASE_URL to a database of your own"
  )
})

/** Whether the account may traverse every existing directory above `path`. */
export const reachable = Effect.fn("ServerAccount.reachable")(function* (account: ServerAccount, path: string) {
  if (!account.foreign) return true
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const stats = yield* Effect.tryPromise({ try: () => lstat(directory), catch: () => "absent" as const }).pipe(
      Effect.catch(() => Effect.succeed(undefined))
    )
    if (stats !== undefined) {
      const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0
      if (((stats.mode >> shift) & 1) === 0) return false
    }
    if (directory === dirname(directory)) return true
  }
})
