import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Bucket } from "../../../platform/objects/ObjectKey.ts"
import type { ExportTask } from "./ExportTask.ts"

/** An object that is added to an archive. */
export interface ExportedFile {
  readonly bucket: Bucket
  readonly name: string
  /** Its name in the archive, below `files/`. */
  readonly as: string
  /** Name, in the same bucket, of the audio file for a video without audio: the two are muxed into one file. */
  readonly audio?: string | null
}

/** One entry of a section. */
export interface SectionRow {
  /** Cursor of the next page. */
  readonly cursor: number
  /** JSON text. */
  readonly item: string
  readonly files: ReadonlyArray<ExportedFile>
}

/** Has the columns of each row, but its cursor, be the members of a thing that brings no files. */
export const plainSection = <Row extends { readonly cursor: number }>(
  query: Effect.Effect<ReadonlyArray<Row>, SqlError>
): Effect.Effect<ReadonlyArray<SectionRow>, SqlError> =>
  Effect.map(query, (rows) =>
    rows.map(({ cursor, ...members }) => ({ cursor, item: JSON.stringify(members), files: [] }))
  )

/**
 * Reads entries after the cursor. Fewer than the limit means the end. Small entries that each page has to sort again
 * come in larger pages.
 */
export type SectionPage = (
  sql: SqlClient,
  task: ExportTask,
  after: number,
  limit: number
) => Effect.Effect<ReadonlyArray<SectionRow>, SqlError>

/** The contents of an archive file: named lists, or a single entry (`one`). */
export type ExportSection =
  | { readonly file: string; readonly lists: ReadonlyArray<readonly [name: string, page: SectionPage]> }
  | { readonly file: string; readonly one: SectionPage }
