import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { removeRunners } from "./RunnerRemoval.ts"

/** A runner, found by its token. */
export interface KnownRunner {
  readonly id: number
  readonly name: string
}

export interface NewRunner {
  /** SHA-256 of the registration token it used. */
  readonly registrationHash: Uint8Array
  /** SHA-256 of its own token. */
  readonly tokenHash: Uint8Array
  readonly name: string
  readonly description: string | null
  readonly version: string | null
  readonly ip: string
}

/** What a runner reports about itself with a request. */
export interface RunnerContact {
  readonly ip: string
  readonly version: string | undefined
  /** Job types it asks for. Absent if it does not say. */
  readonly jobTypes?: ReadonlyArray<string> | undefined
}

/** Seconds after which a new contact of a runner is written again. */
const contactSeconds = 30

/** Programs on other machines that work for the instance. */
export class RunnerRows extends Context.Service<
  RunnerRows,
  {
    /**
     * Adds a runner. Refused if the registration token is unknown, or another runner has the same name (ignoring case).
     */
    readonly register: (
      runner: NewRunner
    ) => Effect.Effect<{ readonly id: number } | "unknown token" | "name taken", DatabaseUnavailable>
    /** The runner with this token hash. */
    readonly byToken: (hash: Uint8Array) => Effect.Effect<Option.Option<KnownRunner>, DatabaseUnavailable>
    /** Records a contact of a runner, at most every 30 seconds, and its version and job types when they change. */
    readonly recordContact: (id: number, contact: RunnerContact) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Whether a runner that named this type was in contact within this many seconds. With `untold`, runners that name
     * no types count too.
     */
    readonly anyDoes: (
      type: string,
      withinSeconds: number,
      includeUnspecified?: boolean
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Removes a runner. Jobs it holds become pending. False if there is none. */
    readonly remove: (id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** What names it. Undefined: there is none. */
    readonly values: (
      id: number
    ) => Effect.Effect<Readonly<Record<string, string | null>> | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/RunnerRows") {
  static readonly layer = Layer.effect(
    RunnerRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const register = Effect.fn("RunnerRows.register")(
        function* (runner: NewRunner) {
          // Locked until the runner is written: otherwise it would outlive a token that is deleted meanwhile.
          const tokens = yield* sql<{ id: number }>`
            select id from runner_registration_token where token_hash = ${runner.registrationHash} for share`
          if (tokens[0] === undefined) return "unknown token" as const
          const rows = yield* sql<{ id: number }>`
            insert into runner (registration_token_id, token_hash, name, description, version, ip)
            values (${tokens[0].id}, ${runner.tokenHash}, ${runner.name}, ${runner.description}, ${runner.version},
              ${runner.ip})
            on conflict (lower(name)) do nothing returning id`
          return rows[0] ?? ("name taken" as const)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const byToken = Effect.fnUntraced(function* (hash: Uint8Array) {
        const rows = yield* sql<KnownRunner>`select id, name from runner where token_hash = ${hash}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const recordContact = Effect.fnUntraced(function* (id: number, { ip, jobTypes, version }: RunnerContact) {
        const types = jobTypes ?? null
        yield* sql`
          update runner set last_contact = now(), ip = ${ip}, version = coalesce(${version ?? null}::text, version),
            job_types = coalesce(${types}::text[], job_types),
            updated_at = case when version is distinct from coalesce(${version ?? null}::text, version) then now()
              else updated_at end
          where id = ${id} and (last_contact < now() - ${contactSeconds} * interval '1 second'
            or version is distinct from coalesce(${version ?? null}::text, version)
            or job_types is distinct from coalesce(${types}::text[], job_types))`
      }, withDatabaseErrors)

      const anyDoes = Effect.fn("RunnerRows.anyDoes")(function* (
        type: string,
        withinSeconds: number,
        includeUnspecified = false
      ) {
        const rows = yield* sql`
          select 1 from runner where (${type}::text = any(job_types) or (${includeUnspecified}::boolean and job_types is null))
            and last_contact > now() - ${withinSeconds} * interval '1 second' limit 1`
        return rows.length > 0
      }, withDatabaseErrors)

      const removeWhere = removeRunners(sql)
      const remove = Effect.fn("RunnerRows.remove")(
        (id: number) => Effect.map(removeWhere(sql`r.id = ${id}`), (removed) => removed > 0),
        sql.withTransaction,
        withDatabaseErrors
      )

      const values = Effect.fn("RunnerRows.values")(function* (id: number) {
        const [row] = yield* sql<Readonly<Record<string, string | null>>>`
          select name, description, version, ip from runner where id = ${id}`
        return row
      }, withDatabaseErrors)

      return RunnerRows.of({ register, byToken, recordContact, anyDoes, remove, values })
    })
  )
}
