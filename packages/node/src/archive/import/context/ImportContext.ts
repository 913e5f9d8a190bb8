import type { ImportSection } from "@kinora/domain/enums/UserArchiveState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UserImportTask } from "@kinora/storage/archive/import/UserImportWork"
import type { Effect } from "effect"
import type { Archive } from "./Archive.ts"

/** What every section works with. */
export interface ImportContext {
  readonly task: UserImportTask
  /** The user whose rights and quotas apply: the owner of the account, even if somebody else uploaded the archive. */
  readonly user: CurrentUserShape
  readonly archive: Archive
  /** An empty folder for this import. */
  readonly folder: string
  /** Files that already became a video: a file that is named repeatedly is not unpacked repeatedly. */
  readonly used: Set<string>
}

/** The result of importing one entry. */
export type Outcome = "success" | "duplicate" | "error"

/** How entries of one kind are imported. Any failure except one of the database is an error of that entry only. */
export interface SectionImport {
  readonly section: ImportSection
  /** Names the file may have, without extension. */
  readonly files: ReadonlyArray<string>
  /** Names of its lists. Absent: the file is a single entry. */
  readonly lists?: ReadonlyArray<string>
  /** @param entry parsed JSON, not validated yet */
  readonly importEntry: (
    context: ImportContext,
    entry: unknown,
    list: string
  ) => Effect.Effect<Outcome, DatabaseUnavailable | { readonly _tag: string }>
}
