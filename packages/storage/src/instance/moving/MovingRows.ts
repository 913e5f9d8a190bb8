import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isUnavailable } from "../../platform/database/DatabaseErrors.ts"
import { type MovingStep, recordset, type RowTransform } from "./steps/MovingStep.ts"
import type { SourceDatabase } from "./SourceDatabase.ts"

/** How far a step has come. */
export interface StepProgress {
  readonly step: string
  readonly rowsRead: number
  readonly rowsWritten: number
  readonly done: boolean
  /** Why rows were refused, at most some of them. */
  readonly refused: ReadonlyArray<string>
}

/** Makes of rows as they were read, JSON texts, those that are written. */
export type Transforms = Readonly<Record<RowTransform, (rows: ReadonlyArray<string>) => ReadonlyArray<string>>>

const pageSize = 500
/** Refusals that are kept for the report. */
const keptRefusals = 20

const saidBy = (error: SqlError): string =>
  error.reason.cause instanceof Error ? error.reason.cause.message : error.message

const progressOf = Effect.fnUntraced(function* (step: string) {
  const sql = yield* SqlClient
  const [row] = yield* sql<StepProgress & { readonly position: ReadonlyArray<number> }>`
    select step, position, rows_read::int as "rowsRead", rows_written::int as "rowsWritten", done, refused
    from moving_in_step where step = ${step}`
  return row ?? { step, position: [], rowsRead: 0, rowsWritten: 0, done: false, refused: [] }
})

/** What all steps have come to, by name. */
export const movingProgress = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<StepProgress>`
    select step, rows_read::int as "rowsRead", rows_written::int as "rowsWritten", done, refused from moving_in_step`
}).pipe(Effect.withSpan("MovingRows.progress"))

/** Writes rows in the caller's transaction; answers how many. */
const writeRows = Effect.fnUntraced(function* (step: MovingStep, rows: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const json = `[${rows.join(",")}]`
  let written = 0
  for (const statement of step.write(recordset(step))) written = (yield* sql.unsafe(statement, [json])).length
  return written
})

/**
 * Writes rows all at once, or one by one when the database refuses some: a value of a later version that no column takes, for example.
 * Only a database that does not answer ends the import.
 */
const writeWhatFits = Effect.fnUntraced(function* (step: MovingStep, rows: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  if (rows.length === 0) return { written: 0, refused: [] as ReadonlyArray<string> }
  const whole = yield* Effect.result(sql.withTransaction(writeRows(step, rows)))
  if (whole._tag === "Success") return { written: whole.success, refused: [] as ReadonlyArray<string> }
  const refused: Array<string> = []
  let written = 0
  for (const row of rows) {
    const one = yield* Effect.result(sql.withTransaction(writeRows(step, [row])))
    if (one._tag === "Success") written += one.success
    else if (isUnavailable(one.failure)) return yield* Effect.fail(one.failure)
    else refused.push(`${/"id": ?\d+/.exec(row)?.[0].replaceAll('"', "") ?? "a row"}: ${saidBy(one.failure)}`)
  }
  return { written, refused }
})

/**
 * Brings what a step has left to do, page by page: each page commits together with the place where it ends, so that a run that was
 * killed goes on there. `onRows` is called after each page.
 */
export const moveRows = Effect.fn("MovingRows.move")(function* (
  source: SourceDatabase,
  step: MovingStep,
  transforms: Transforms,
  onRows: (rows: number) => Effect.Effect<void>
) {
  const sql = yield* SqlClient
  let progress = yield* progressOf(step.name)
  const isThere = source.catalogue.has(step.table)
  while (!progress.done) {
    const page = isThere ? yield* source.page(step, progress.position, pageSize) : { rows: [], last: [] }
    const rows = step.transform === undefined ? page.rows : transforms[step.transform](page.rows)
    const before = progress
    progress = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`set local statement_timeout = 0`
        const { refused, written } = yield* writeWhatFits(step, rows)
        for (const statement of step.after ?? []) yield* sql.unsafe(statement)
        // Nobody is notified of what was there before: no node runs, and nobody reads these.
        yield* forget
        const next = {
          step: step.name,
          position: page.last,
          rowsRead: before.rowsRead + page.rows.length,
          rowsWritten: before.rowsWritten + written,
          done: page.rows.length < pageSize,
          refused: [...before.refused, ...refused].slice(0, keptRefusals)
        }
        yield* sql`
          insert into moving_in_step (step, position, rows_read, rows_written, done, refused)
          values (${next.step}, ${JSON.stringify(next.position)}::text::jsonb, ${next.rowsRead}::bigint,
            ${next.rowsWritten}::bigint, ${next.done}, ${JSON.stringify(next.refused)}::text::jsonb)
          on conflict (step) do update set position = excluded.position, rows_read = excluded.rows_read,
            rows_written = excluded.rows_written, done = excluded.done, refused = excluded.refused`
        return next
      })
    )
    yield* onRows(page.rows.length)
  }
})

/** Takes back what triggers have noted for other instances and for users. */
export const forget = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const table of ["outbox_change", "notification_event", "actor_recount", "video_recount", "object_removal"]) {
    yield* sql.unsafe(`delete from ${table}`)
  }
})
