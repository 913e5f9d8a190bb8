import { Duration, Effect } from "effect"
import { PersistenceError } from "effect/cluster/ClusterError"
import { makeEncoded, type RunnerStorage } from "effect/cluster/RunnerStorage"
import { SqlClient } from "effect/sql/SqlClient"

/** What the table says of this node besides its address. */
export interface ClusterNodeRow {
  readonly name: string
  readonly roles: ReadonlyArray<string>
  readonly version: string
}

export interface SqlRunnersOptions extends ClusterNodeRow {
  /** A node that did not touch its row for this long is lost, and its shards are free. */
  readonly expiration: Duration.Duration
  /** Called with the shards that this node got. */
  readonly onAcquired: Effect.Effect<void>
}

/**
 * Runners and shards of Effect Cluster in tables of ours, over the pool. Shards hold no times of their own: they belong to
 * their node as long as it is alive, so a heartbeat writes one row. A node that leaves gives up its row and all of its
 * shards in one transaction; before that, others see it as it was and try for nothing that it still holds.
 */
export const sqlRunners = Effect.fnUntraced(function* (
  options: SqlRunnersOptions
): Effect.fn.Return<RunnerStorage["Service"], never, SqlClient> {
  const sql = yield* SqlClient
  const lost = sql.literal(`now() - interval '${Duration.toSeconds(options.expiration)} seconds'`)
  let leaving = false

  const asPersistence = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.withTracerEnabled(PersistenceError.refail(effect), false)

  const owned = (address: string) =>
    Effect.map(sql<{ shard: string }>`select shard from cluster_shard where address = ${address}`, (rows) =>
      rows.map(({ shard }) => shard)
    )

  return makeEncoded({
    getRunners: sql<{ runner: string; healthy: boolean }>`
      select runner, healthy from cluster_node where seen_at > ${lost}`.pipe(
      Effect.map((rows) => rows.map(({ healthy, runner }): readonly [string, boolean] => [runner, healthy])),
      asPersistence
    ),

    register: (address, runner, healthy) =>
      sql<{ id: number }>`
        with gone as (delete from cluster_node where seen_at < now() - interval '1 day' and address <> ${address})
        insert into cluster_node (address, name, roles, runner, healthy, version)
        values (${address}, ${options.name}, ${[...options.roles]}::text[], ${runner}, ${healthy}, ${options.version})
        on conflict (address) do update set name = excluded.name, roles = excluded.roles, runner = excluded.runner,
          healthy = excluded.healthy, version = excluded.version, started_at = now(), seen_at = now()
        returning id`.pipe(
        Effect.map((rows) => rows[0]!.id),
        asPersistence
      ),

    // Everything is given up together by `releaseAll`.
    unregister: () => Effect.sync(() => void (leaving = true)),

    setRunnerHealth: (address, healthy) =>
      asPersistence(Effect.asVoid(sql`update cluster_node set healthy = ${healthy} where address = ${address}`)),

    // Whoever takes the shards of a lost node locks its row: a heartbeat that comes meanwhile waits, and then sees the loss.
    acquire: (address, shards) =>
      sql<{ shard: string }>`
        with lost as materialized (
          select address from cluster_node where seen_at <= ${lost} and address <> ${address} order by address for update
        )
        insert into cluster_shard as s (shard, address)
        select shard, ${address} from unnest(${[...shards]}::text[]) w (shard) order by shard
        on conflict (shard) do update set address = excluded.address
          where s.address = excluded.address or s.address in (select l.address from lost l)
            or not exists (select from cluster_node n where n.address = s.address)
        returning shard`.pipe(
        Effect.map((rows) => rows.map(({ shard }) => shard)),
        Effect.tap((got) => (got.length > 0 ? options.onAcquired : Effect.void)),
        asPersistence
      ),

    // Two statements: the second sees what was taken before the first had its lock.
    refresh: (address, shards) =>
      sql`update cluster_node set seen_at = now() where address = ${address}`.pipe(
        Effect.andThen(shards.length === 0 ? Effect.succeed([]) : owned(address)),
        Effect.map((held) => {
          const asked = new Set(shards)
          return held.filter((shard) => asked.has(shard))
        }),
        asPersistence
      ),

    release: (address, shard) =>
      leaving
        ? Effect.void
        : asPersistence(Effect.asVoid(sql`delete from cluster_shard where shard = ${shard} and address = ${address}`)),

    releaseAll: (address) =>
      Effect.suspend(() =>
        leaving
          ? sql`
              with gone as (delete from cluster_node where address = ${address})
              delete from cluster_shard where address = ${address}`
          : sql`delete from cluster_shard where address = ${address}`
      ).pipe(Effect.asVoid, asPersistence)
  })
})
