import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Duration, Effect, type Redacted, Schedule } from "effect"
import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { readdir, readFile, realpath, rm } from "node:fs/promises"
import { join } from "node:path"
import { kill } from "node:process"
import { isUnavailable } from "../database/DatabaseErrors.ts"
import { runAs } from "./DataDirectory.ts"
import { embeddedError, type EmbeddedPostgresError } from "./EmbeddedError.ts"
import type { PostgresBinaries } from "./PostgresBinaries.ts"
import { isAlive, isZombie, workingIn } from "./Processes.ts"
import type { ServerAccount } from "./ServerAccount.ts"

/** What is needed to start a server on one data directory, or to recognise it. */
export interface ServerSettings {
  readonly account: ServerAccount
  readonly binaries: PostgresBinaries
  readonly data: string
  readonly socket: string
  readonly url: Redacted.Redacted
  readonly logFile: string
  readonly parameters: Readonly<Record<string, string>>
}

/** A postmaster that answers. An adopted one was started by a former process. */
export interface RunningServer {
  readonly pid: number
  readonly adopted: boolean
}

const pollEvery = Duration.millis(5)
const adoptionTimeout = Duration.seconds(10)
/** How long backends of a killed postmaster may hold its shared memory: they finish their work first. */
const longestInheritance = Duration.minutes(1)

/** Checks that the process id was not reused by another program. Works only on Linux. */
const isPostgres = (pid: number): Effect.Effect<boolean> =>
  Effect.promise(() =>
    readFile(`/proc/${pid}/cmdline`, "utf8").then(
      (text) => text.includes("postgres"),
      () => true
    )
  )

/** The file `postmaster.pid`, as PostgreSQL documents it: line 1 is the process id, line 8 the status. */
const pidFile = (data: string): Effect.Effect<{ readonly pid: number; readonly ready: boolean } | undefined> =>
  Effect.promise(() =>
    readFile(join(data, "postmaster.pid"), "utf8").then(
      (text) => {
        const lines = text.split("\n")
        return { pid: Number(lines[0]), ready: lines[7]?.trim() === "ready" }
      },
      () => undefined
    )
  )

/** The server's answer to one query, over a separate connection. */
const ask = Effect.fnUntraced(function* <A>(url: Redacted.Redacted, query: string, column: string) {
  const connection = yield* PgConnection.make({ url, applicationName: "kinora-launcher", connectTimeout: "2 seconds" })
  const result = yield* connection.query(query)
  return result.rows[0]?.[column] as A
}, Effect.scoped)

const isOurs = (settings: ServerSettings) =>
  ask<string>(settings.url, "select current_setting('data_directory') as directory", "directory").pipe(
    Effect.retry({
      while: isUnavailable,
      schedule: Schedule.max([Schedule.spaced("50 millis"), Schedule.during(adoptionTimeout)])
    }),
    Effect.flatMap((directory) =>
      Effect.promise(async () => (await realpath(directory)) === (await realpath(settings.data)))
    ),
    Effect.catch((error) =>
      Effect.as(Effect.logWarning(`The PostgreSQL server left running does not answer: ${error.message}`), false)
    )
  )

/** A server that already runs on our data: adopted if it accepts our password, stopped otherwise. */
const adopt = Effect.fn("PostgresServer.adopt")(function* (settings: ServerSettings) {
  const left = yield* pidFile(settings.data)
  if (left === undefined || !(yield* isAlive(left.pid)) || !(yield* isPostgres(left.pid))) return undefined
  if (yield* isOurs(settings)) {
    yield* Effect.logInfo(`PostgreSQL (process ${left.pid}) is already running: using it`)
    return { pid: left.pid, adopted: true } satisfies RunningServer
  }
  yield* Effect.logWarning(`Stopping the PostgreSQL server left running (process ${left.pid})`)
  yield* runAs(settings.account, settings.binaries.bin("pg_ctl"), [
    "stop",
    `--pgdata=${settings.data}`,
    "--mode=fast",
    "--timeout=60"
  ]).pipe(
    // It may have ended meanwhile: then pg_ctl fails, and nothing is left to stop.
    Effect.catch((error) => Effect.flatMap(isAlive(left.pid), (alive) => (alive ? Effect.fail(error) : Effect.void)))
  )
  return undefined
})

/**
 * Removes the lock files of a killed postmaster whose process id is still taken because nobody reaped it, as in
 * containers without an init: PostgreSQL would think forever that it runs. Its backends must have ended first, because
 * the next postmaster could not detect them without that file.
 */
const removeZombiePidFile = Effect.fn("PostgresServer.removeZombiePidFile")(function* (settings: ServerSettings) {
  const left = yield* pidFile(settings.data)
  if (left === undefined || !(yield* isZombie(left.pid))) return
  const folder = yield* Effect.promise(() => realpath(settings.data))
  yield* Effect.repeat(workingIn(folder), {
    while: (count) => count > 0,
    schedule: Schedule.max([Schedule.spaced("50 millis"), Schedule.during(longestInheritance)])
  })
  if ((yield* workingIn(folder)) > 0) return
  yield* Effect.promise(async () => {
    const locks = (await readdir(settings.socket)).filter((name) => name.endsWith(".lock"))
    const files = [join(settings.data, "postmaster.pid"), ...locks.map((name) => join(settings.socket, name))]
    await Promise.all(files.map((file) => rm(file, { force: true })))
  })
})

/** Starts the postmaster in a session of its own, so that Ctrl-C reaches only us and we stop it last. */
const launch = (settings: ServerSettings): Effect.Effect<number, EmbeddedPostgresError> =>
  Effect.callback((resume) => {
    const parameters = Object.entries(settings.parameters).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    const log = openSync(settings.logFile, "a", 0o600)
    const { account } = settings
    const child = spawn(settings.binaries.bin("postgres"), ["-D", settings.data, ...parameters], {
      ...(account.foreign ? { uid: account.uid, gid: account.gid } : {}),
      cwd: "/",
      env: { LC_ALL: "C", TZ: "UTC" },
      detached: true,
      stdio: ["ignore", log, log]
    })
    closeSync(log)
    child.on("error", (cause) => resume(Effect.fail(embeddedError("PostgreSQL cannot be started", cause))))
    child.on("spawn", () => resume(Effect.succeed(child.pid!)))
    child.unref()
  })

/** Waits until the server accepts connections. False if it ended instead. Recovery may take long and is awaited. */
const becomesReady = Effect.fnUntraced(function* (settings: ServerSettings, pid: number) {
  const started = yield* Clock.currentTimeMillis
  let said = 0
  while (yield* isAlive(pid)) {
    const file = yield* pidFile(settings.data)
    if (file?.pid === pid && file.ready) return true
    const seconds = Math.floor(((yield* Clock.currentTimeMillis) - started) / 5000)
    if (seconds > said) {
      said = seconds
      yield* Effect.logInfo("PostgreSQL is recovering from an unclean stop. Waiting for it.")
    }
    yield* Effect.sleep(pollEvery)
  }
  return false
})

const lastLines = (path: string): Effect.Effect<string> =>
  Effect.promise(() =>
    readFile(path, "utf8").then(
      (text) => text.trimEnd().split("\n").slice(-3).join(" | "),
      () => "no log"
    )
  )

/** Whether the postmaster exited because processes of a killed one still run. */
const isStillHeld = (log: string): boolean => log.includes("is still in use")

/** A server on the data directory: the running one, or a new one. */
export const start = Effect.fn("PostgresServer.start")(function* (settings: ServerSettings) {
  // Two programs may start at once: if the postmaster of one finds the directory in use, that program adopts the
  // other's.
  const latest = (yield* Clock.currentTimeMillis) + Duration.toMillis(longestInheritance)
  let waiting = false
  for (let round = 0; round < 3; round++) {
    const adopted = yield* adopt(settings)
    if (adopted !== undefined) return adopted
    yield* removeZombiePidFile(settings)
    const pid = yield* launch(settings)
    if (yield* becomesReady(settings, pid)) return { pid, adopted: false } satisfies RunningServer
    if (isStillHeld(yield* lastLines(settings.logFile)) && (yield* Clock.currentTimeMillis) < latest) {
      if (!waiting) yield* Effect.logInfo("Processes of the former PostgreSQL are ending. Waiting for them.")
      waiting = true
      round = -1
      yield* Effect.sleep("250 millis")
    }
  }
  return yield* embeddedError(`PostgreSQL does not start (${settings.logFile}: ${yield* lastLines(settings.logFile)})`)
})

/** Waits until a server ends. */
export const ended = (server: RunningServer, every: Duration.Input): Effect.Effect<void> =>
  Effect.asVoid(Effect.repeat(Effect.delay(isAlive(server.pid), every), { while: (alive) => alive }))

const otherClients = (url: Redacted.Redacted) =>
  ask<number>(
    url,
    `select count(*)::int as clients from pg_stat_activity
     where backend_type = 'client backend' and application_name like 'kinora%' and pid <> pg_backend_pid()`,
    "clients"
  )

/** A backend needs some milliseconds to notice that its client disconnected. */
const isUsed = Effect.fnUntraced(
  function* (url: Redacted.Redacted) {
    for (let tries = 0; tries < 10; tries++) {
      if ((yield* otherClients(url)) === 0) return false
      yield* Effect.sleep("20 millis")
    }
    return true
  },
  // A server that does not answer has no clients.
  Effect.catch(() => Effect.succeed(false))
)

/**
 * Fast stop: connections are closed, everything is written. The server keeps running if another program of ours uses it
 * (a command beside a node).
 */
export const stop = Effect.fn("PostgresServer.stop")(function* (settings: ServerSettings, server: RunningServer) {
  if (yield* isUsed(settings.url)) {
    return yield* Effect.logInfo("Another program uses the embedded PostgreSQL: leaving it running")
  }
  if (!(yield* isAlive(server.pid))) return
  yield* Effect.sync(() => void kill(server.pid, "SIGINT"))
  yield* ended(server, pollEvery).pipe(
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () =>
        Effect.logWarning(`PostgreSQL (process ${server.pid}) takes too long to stop. Not waiting any longer.`)
    })
  )
})
