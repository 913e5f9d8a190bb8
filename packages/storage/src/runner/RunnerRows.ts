import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"

/** A runner as its own requests find it. */
export interface KnownRunner {
  readonly id: number
  readonly name: string
}

/** A runner as administrators see it. */
export interface RunnerRow extends KnownRunner {
  readonly description: string | null
  readonly ip: string
  readonly version: string | null
  readonly lastContact: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface NewRunner {
  /** SHA-256 of the registration token it came with. */
  readonly registrationHash: Uint8Array
  /** SHA-256 of the token it gets. */
  readonly tokenHash: Uint8Array
  readonly name: string
  readonly description: string | null
  readonly version: string | null
  readonly ip: string
}

/** What a runner tells of itself with a request. */
export interface RunnerContact {
  readonly ip: string
  readonly version: string | undefined
  /** Kinds of work it asks for; absent when it does not say. */
  readonly jobTypes?: ReadonlyArray<string> | undefined
}

/** A page of a list by creation, and the number of all there are. */
export interface RunnerPage<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

export interface PageByCreation {
  readonly start: number
  readonly count: number
  readonly descending: boolean
}

/** How long ago the last noted contact of a runner has to be for another one to be written. */
const contactSeconds = 30

/** Programs elsewhere that work for the instance. */
export class RunnerRows extends Context.Service<
  RunnerRows,
  {
    /** Adds a runner; refused when nobody knows the registration token, or another runner has the name in any case. */
    readonly register: (
      runner: NewRunner
    ) => Effect.Effect<{ readonly id: number } | "unknown token" | "name taken", DatabaseUnavailable>
    /** The runner whose token has the hash. */
    readonly byToken: (hash: Uint8Array) => Effect.Effect<Option.Option<KnownRunner>, DatabaseUnavailable>
    /** Notes that a runner was heard of, not oftener than every 30 seconds; and its version and work, when it tells others. */
    readonly heard: (id: number, contact: RunnerContact) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Whether one was heard of within so many seconds that names the type when it asks for work; with `untold` also one that
     * names none.
     */
    readonly anyDoes: (
      type: string,
      withinSeconds: number,
      untold?: boolean
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Removes a runner; jobs it holds go back to the board. False when there is none. */
    readonly remove: (id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly list: (page: PageByCreation) => Effect.Effect<RunnerPage<RunnerRow>, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/RunnerRows") {
  static readonly layer = Layer.effect(
    RunnerRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const register = Effect.fn("RunnerRows.register")(
        function* (runner: NewRunner) {
          // Held until the runner is there: it would outlive a token that is deleted meanwhile.
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

      const heard = Effect.fnUntraced(function* (id: number, { ip, jobTypes, version }: RunnerContact) {
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

      const anyDoes = Effect.fn("RunnerRows.anyDoes")(function* (type: string, withinSeconds: number, untold = false) {
        const rows = yield* sql`
          select 1 from runner where (${type}::text = any(job_types) or (${untold}::boolean and job_types is null))
            and last_contact > now() - ${withinSeconds} * interval '1 second' limit 1`
        return rows.length > 0
      }, withDatabaseErrors)

      const remove = Effect.fn("RunnerRows.remove")(function* (id: number) {
        const rows = yield* sql`delete from runner where id = ${id} returning id`
        return rows.length > 0
      }, withDatabaseErrors)

      const list = Effect.fn("RunnerRows.list")(function* ({ count, descending, start }: PageByCreation) {
        const way = sql.literal(descending ? "desc" : "asc")
        const totals = yield* sql<{ total: number }>`select count(*) as total from runner`
        const data = yield* sql<RunnerRow>`
          select id, name, description, ip, version, last_contact as "lastContact", created_at as "createdAt",
            updated_at as "updatedAt"
          from runner order by created_at ${way}, id ${way} limit ${count} offset ${start}`
        return { total: totals[0]!.total, data }
      }, withDatabaseErrors)

      return RunnerRows.of({ register, byToken, heard, anyDoes, remove, list })
    })
  )
}
