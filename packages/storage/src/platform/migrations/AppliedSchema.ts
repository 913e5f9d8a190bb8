import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { sqlState } from "../database/DatabaseErrors.ts"

interface AppliedStep {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

/** What a database says of its schema. */
export interface AppliedSchema {
  /** The baseline, changes, and steps of versions before the baseline, in their order. */
  readonly steps: ReadonlyArray<AppliedStep>
  /** Checksums of the repeatable files by path. */
  readonly files: Readonly<Record<string, string>>
}

const undefinedTable = "42P01"

/** Reads what was applied: one query where there is nothing to take over. */
export const readApplied = Effect.fn("AppliedSchema.read")(function* (sql: SqlClient) {
  const rows = yield* sql<AppliedSchema>`
    select
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'checksum', checksum) order by id), '[]')
        from schema_migration) as steps,
      (select coalesce(json_object_agg(path, checksum), '{}') from schema_file) as files
  `.pipe(
    Effect.catchIf(
      (error) => sqlState(error) === undefinedTable,
      () =>
        Effect.map(
          sql<AppliedStep>`select id, name, checksum from schema_migration order by id`,
          (steps): ReadonlyArray<AppliedSchema> => [{ steps, files: {} }]
        )
    ),
    Effect.catchIf(
      (error) => sqlState(error) === undefinedTable,
      () => Effect.succeed<ReadonlyArray<AppliedSchema>>([{ steps: [], files: {} }])
    )
  )
  return rows[0]!
})

/** The tables that hold it, where they are not there yet. */
export const applicationTables: ReadonlyArray<string> = [
  `create table if not exists schema_migration (
    id integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`,
  `create table if not exists schema_file (
    path text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`,
  `create table if not exists schema_object (
    kind text not null check (kind in ('function', 'view', 'trigger')),
    identity text not null,
    primary key (kind, identity)
  )`
]
