import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Bucket } from "../../../platform/objects/ObjectKey.ts"
import type { ExportTask } from "./ExportTask.ts"

/** An object that goes into an archive. */
export interface ExportedFile {
  readonly bucket: Bucket
  readonly name: string
  /** Its name in the archive, below `files/`. */
  readonly as: string
  /** Name, in the same bucket, of the sound of a picture that has none: one file is made of the two. */
  readonly sound?: string | null
}

/** One thing of a section. */
export interface SectionRow {
  /** Where the next page begins. */
  readonly cursor: number
  /** JSON text. */
  readonly item: string
  readonly files: ReadonlyArray<ExportedFile>
}

/**
 * Reads what comes after the cursor. Fewer than the limit are the end; small things that have to be sorted anew for each page
 * come more at a time.
 */
export type SectionPage = (
  sql: SqlClient,
  task: ExportTask,
  after: number,
  limit: number
) => Effect.Effect<ReadonlyArray<SectionRow>, SqlError>

/** What a file of the archive holds: lists by their names, or `one` thing alone. */
export type ExportSection =
  | { readonly file: string; readonly lists: ReadonlyArray<readonly [name: string, page: SectionPage]> }
  | { readonly file: string; readonly one: SectionPage }
