import type { PgClient } from "@effect/sql-pg/PgClient"
import { Context, Duration, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SlowSql } from "../SlowSql.ts"
import { readOnlyLayer } from "../Database.ts"
import { lsnOf, ReplicaLag } from "./ReplicaLag.ts"

/** A PostgreSQL server that follows the primary and answers reads. */
export interface Replica {
  /** Clients of the replica, in place of those of the primary. */
  readonly clients: Layer.Layer<PgClient | SqlClient | SlowSql>
  /** Whether it may be asked: it answers, and is behind by no more than the configuration allows. */
  readonly mayBeRead: () => boolean
  /** Milliseconds it is behind at most; infinite while it is away. */
  readonly behind: () => number
  /** Whether it has everything that was committed when this was asked. */
  readonly hasReachedNow: Effect.Effect<boolean>
  /** It did not answer: nobody asks it until `watch` has found it well. */
  readonly suspend: Effect.Effect<void>
  /** Looks every second how far it is. Never ends. */
  readonly watch: Effect.Effect<never>
  /** Reads that it answered, and those that the primary answered in its place. */
  readonly counts: { answered: number; replaced: number }
}

/** The replica of this process; by default there is none, and all reads go to the primary. */
export const CurrentReplica = Context.Reference<Replica | undefined>("@kinora/storage/database/CurrentReplica", {
  defaultValue: () => undefined
})

export interface ReplicaOptions {
  /** A libpq URI. */
  readonly url: Redacted.Redacted
  readonly maxConnections: number
  readonly maxLag: Duration.Duration
}

const lookEvery = Duration.seconds(1)
const lookTimeout = Duration.seconds(2)

const make = Effect.fnUntraced(function* ({ maxConnections, maxLag, url }: ReplicaOptions) {
  const primary = yield* SqlClient
  const context = yield* Layer.build(readOnlyLayer({ url, maxConnections, applicationName: "kinora-replica-reads" }))
  const sql = Context.get(context, SqlClient)
  const lag = new ReplicaLag()
  const limit = Duration.toMillis(maxLag)
  let isWell = false
  let complaint: string | undefined

  const written = Effect.map(primary<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`, (rows) =>
    lsnOf(rows[0]!.lsn)
  )
  const replayed = Effect.map(
    sql<{ lsn: string | null }>`select pg_last_wal_replay_lsn()::text as lsn where pg_is_in_recovery()`,
    (rows) => rows[0]?.lsn ?? undefined
  )

  const turn = (next: boolean, reason: string | undefined) =>
    Effect.suspend(() => {
      const said = complaint
      isWell = next
      complaint = reason
      if (reason === said) return Effect.void
      return reason === undefined
        ? Effect.logInfo("The read replica is used.")
        : Effect.logWarning(`The read replica is not used: ${reason}. The primary answers.`)
    })

  const suspend = Effect.suspend(() => {
    lag.forget()
    return turn(false, "it does not answer")
  })

  const look = Effect.gen(function* () {
    const at = performance.now()
    const lsn = yield* written
    const reached = yield* Effect.option(Effect.timeout(replayed, lookTimeout))
    if (reached._tag === "None") return yield* suspend
    if (reached.value === undefined) {
      lag.forget()
      return yield* turn(false, "it is no standby, so nothing says that it has what the primary has")
    }
    lag.note({ at, lsn }, lsnOf(reached.value))
    const behind = lag.behind(performance.now())
    if (behind <= limit) yield* turn(true, undefined)
    else if (behind < Number.POSITIVE_INFINITY) yield* turn(false, `it is more than ${Duration.format(maxLag)} behind`)
  })

  const hasReachedNow = Effect.gen(function* () {
    if (!isWell) return false
    const lsn = yield* written
    const reached = yield* replayed
    return reached !== undefined && lsnOf(reached) >= lsn
  }).pipe(
    Effect.timeout(lookTimeout),
    Effect.orElseSucceed(() => false)
  )

  return {
    clients: Layer.succeedContext(context),
    behind: () => lag.behind(performance.now()),
    mayBeRead: () => isWell && lag.behind(performance.now()) <= limit,
    hasReachedNow,
    suspend,
    // While the primary is away, nothing can be compared: what is known grows old by itself.
    watch: Effect.forever(Effect.andThen(Effect.ignore(look), Effect.sleep(lookEvery))),
    counts: { answered: 0, replaced: 0 }
  } satisfies Replica
})

/** Connects to a replica; it need not answer yet. */
export const layerReplica = (options: ReplicaOptions): Layer.Layer<never, never, SqlClient> =>
  Layer.effect(CurrentReplica, make(options)) as Layer.Layer<never, never, SqlClient>
