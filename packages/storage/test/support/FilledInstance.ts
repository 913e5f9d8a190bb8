import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

/**
 * What version 0.1.0 had made of an instance that followed another one: videos of both, comments, ratings, playlists,
 * follows, activities, deliveries, sessions, a runner and its jobs. By `pg_dump --no-owner --no-privileges --inserts
 * --rows-per-insert=100` of PostgreSQL 15, without the lines that psql alone understands.
 */
const fixture = join(import.meta.dirname, "../platform/migrations/fixtures/filled-48.sql.gz")

/** Fills an empty database with that instance, in the schema of its time. */
export const loadFilledInstance = Effect.gen(function* () {
  const sql = yield* SqlClient
  const dump = gunzipSync(readFileSync(fixture)).toString()
  yield* sql.withTransaction(
    Effect.andThen(
      sql.unsafe("set local check_function_bodies = off"),
      sql.unsafe(`do $load$ begin execute $dump$${dump}$dump$; end $load$`)
    )
  )
})
