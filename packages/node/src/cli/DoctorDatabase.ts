import { readOnlyLayer } from "@kinora/storage/platform/database/Database"
import { Clock, Duration, Effect, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../platform/config/Config.ts"
import { databaseLayer } from "./DatabaseLayer.ts"
import { failure, type Finding, good } from "./DoctorReport.ts"

const needed = ["citext", "pg_trgm", "unaccent"] as const

const ask = Effect.gen(function* () {
  const sql = yield* SqlClient
  const began = yield* Clock.currentTimeMillis
  const [server] = yield* sql<{ readonly version: string; readonly fsync: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync`
  const elapsed = (yield* Clock.currentTimeMillis) - began
  const extensions = yield* sql<{ readonly name: string }>`
    select name from pg_available_extensions where ${sql.in("name", needed)}`
  const known = new Set(extensions.map((extension) => extension.name))
  return {
    version: server?.version ?? "?",
    fsync: server?.fsync,
    elapsed,
    missing: needed.filter((name) => !known.has(name))
  }
})

const replicaAnswers = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [server] = yield* sql<{ readonly standby: boolean; readonly behind: number | null }>`
      select pg_is_in_recovery() as standby, case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as behind`
    return server!
  }).pipe(Effect.provide(readOnlyLayer({ url, maxConnections: 2, applicationName: "kinora-doctor" })))

/** Whether the read replica, if one is configured, answers and follows. */
const checkReplica = (url: Redacted.Redacted | null) =>
  Effect.gen(function* (): Effect.fn.Return<ReadonlyArray<Finding>> {
    if (url === null) return []
    const answer = yield* Effect.result(Effect.timeout(replicaAnswers(url), "5 seconds"))
    const advice = "Check database.replica.url. Until it is well, the database answers in its place."
    if (answer._tag === "Failure") return [failure("read replica", "it does not answer", advice)]
    const { behind, standby } = answer.success
    if (!standby) return [failure("read replica", "it is no standby: nothing is read from it", advice)]
    return [good("read replica", `answers, ${(behind ?? 0).toFixed(1)} s behind`)]
  })

/** An embedded server may have to be created first, which takes a while on a busy machine. */
const answerTimeout = (embedded: boolean) => Duration.seconds(embedded ? 60 : 10)

/** Whether the configured database answers in time and has what the schema needs. */
export const checkDatabase: Effect.Effect<ReadonlyArray<Finding>, never, KinoraConfig> = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const embedded = Option.isNone(config.derived.databaseUrl)
  const kind = embedded ? "embedded" : "external"
  const advice = embedded
    ? "Look into the logs folder, or set DATABASE_URL to a PostgreSQL of your own."
    : "Check DATABASE_URL (or database.*), that the server runs, and that it lets this host in."
  const answer = yield* ask.pipe(
    Effect.provide(databaseLayer),
    Effect.timeoutOption(answerTimeout(embedded)),
    Effect.result
  )
  if (answer._tag === "Failure") return [failure("database", `${kind}: ${answer.failure.message}`, advice)]
  if (Option.isNone(answer.success))
    return [failure("database", `${kind}: no answer within ${Duration.format(answerTimeout(embedded))}`, advice)]
  const { elapsed, fsync, missing, version } = answer.success.value
  const findings = [good("database", `${kind} PostgreSQL ${version} answers in ${elapsed} ms`)]
  if (missing.length > 0) {
    findings.push(
      failure("database", `extensions are missing: ${missing.join(", ")}`, "Install PostgreSQL's contrib package.")
    )
  }
  if (fsync === "off") findings.push(failure("database", "fsync is off", "Turn it on: a power cut loses data."))
  return [...findings, ...(yield* checkReplica(config.database.replica.url))]
})
