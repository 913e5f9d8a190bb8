import type { ImportSection } from "@kinora/domain/enums/UserArchiveState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UserImportTask } from "@kinora/storage/archive/import/UserImportWork"
import type { Effect } from "effect"
import type { Archive } from "./Archive.ts"

/** What every section works with. */
export interface ImportContext {
  readonly task: UserImportTask
  /** Whose rights and quotas hold: never those of who brought the archive for somebody else. */
  readonly user: CurrentUserShape
  readonly archive: Archive
  /** An empty folder of the import. */
  readonly folder: string
  /** Files that became a video: one that is named again and again is not unpacked again and again. */
  readonly used: Set<string>
}

/** What became of one thing. */
export type Outcome = "success" | "duplicate" | "error"

/** How things of one kind are brought in. Whatever fails but the database is an error of that thing alone. */
export interface SectionImport {
  readonly section: ImportSection
  /** Names its file may have, without ending. */
  readonly files: ReadonlyArray<string>
  /** Names of its lists; absent: the file is one thing. */
  readonly lists?: ReadonlyArray<string>
  /** @param thing parsed JSON, not looked at yet */
  readonly bring: (
    context: ImportContext,
    thing: unknown,
    list: string
  ) => Effect.Effect<Outcome, DatabaseUnavailable | { readonly _tag: string }>
}
