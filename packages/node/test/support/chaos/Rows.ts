import * as Database from "@kinora/storage/platform/database/Database"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Held } from "./Encoders.ts"

/** A job of runners, as it stands on the board. */
export interface RunnerJob {
  readonly uuid: string
  readonly type: string
  readonly state: number
  readonly runner: string | null
  readonly failures: number
  readonly error: string | null
}

const connect = (url: string) =>
  ManagedRuntime.make(
    Database.layer({ url: Redacted.make(url), maxConnections: 3, applicationName: "chaos" }).pipe(
      Layer.orDie
    ) as Layer.Layer<SqlClient>
  )

/** Looks into the database of an instance, past the way that the instance itself takes to it. */
export class Rows {
  private readonly url: string
  private readonly runtime: ReturnType<typeof connect>

  constructor(url: string) {
    this.url = url
    this.runtime = connect(url)
  }

  /** Rows of a statement; undefined while the database does not answer. */
  ask<A extends object>(query: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) {
    return this.runtime.runPromise(
      Effect.flatMap(SqlClient, query).pipe(
        Effect.timeout("5 seconds"),
        Effect.catch(() => Effect.succeed(undefined))
      )
    )
  }

  /** The same, of a database that must answer. */
  async all<A extends object>(query: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) {
    return await this.runtime.runPromise(Effect.flatMap(SqlClient, query))
  }

  async jobs(videoId: number): Promise<ReadonlyArray<RunnerJob> | undefined> {
    return await this.ask(
      (sql) => sql<RunnerJob>`
        select j.uuid, j.type, j.state::integer as state, r.name as runner, j.failures, j.error
        from runner_job j left join runner r on r.id = j.runner_id where j.video_id = ${videoId} order by j.id`
    )
  }

  /** The ladder of a video on the board: its folder's name begins with the UUID. */
  async ladder(videoId: number) {
    const rows = await this.ask(
      (sql) => sql<{ readonly id: number; readonly uuid: string; readonly state: string; readonly given: boolean }>`
        select id, uuid, state, coalesce(result ? 'runnerJobs', false) as given from job
        where video_id = ${videoId} and type = 'video-transcoding' order by id desc limit 1`
    )
    return rows?.[0]
  }

  /** Whether somebody waits for a row that is held. */
  async someoneWaits(): Promise<boolean> {
    const rows = await this.ask(
      (sql) => sql<{ readonly n: number }>`
        select count(*)::integer as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and application_name <> 'chaos'`
    )
    return (rows?.[0]?.n ?? 0) > 0
  }

  /** Holds a row over a connection of its own, as far as others want to change it. */
  async hold(table: "job" | "video", id: number): Promise<Held> {
    const own = connect(this.url)
    let held = () => {}
    let letGo = () => {}
    const holds = new Promise<void>((done) => (held = done))
    const until = new Promise<void>((done) => (letGo = done))
    const locked = own
      .runPromise(
        Effect.flatMap(SqlClient, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select 1 from ${sql.literal(table)} where id = ${id} for no key update`
              held()
              yield* Effect.promise(() => until)
            })
          )
        )
      )
      // The database may be killed meanwhile, and the lock is gone with it.
      .catch(() => undefined)
    await Promise.race([holds, locked])
    return {
      release: async () => {
        letGo()
        await locked
        await own.dispose()
      }
    }
  }

  close(): Promise<void> {
    return this.runtime.dispose()
  }
}
