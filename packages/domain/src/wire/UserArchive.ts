import { Schema } from "effect"
import { importSections } from "../enums/UserArchiveState.ts"
import { NumberConstant, Page, Timestamp, Url } from "./Scalars.ts"

/** An archive of a user's data (contract: UserExport). Link, size and end are there once it is completed. */
export const UserExport = Schema.Struct({
  id: Schema.Int,
  state: NumberConstant,
  /** Bytes. */
  size: Schema.optionalKey(Schema.Int),
  /** Good for a quarter of an hour, whoever opens it. */
  privateDownloadUrl: Schema.optionalKey(Url),
  createdAt: Timestamp,
  expiresOn: Schema.optionalKey(Timestamp),
  /** Our own: why it failed. */
  error: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "UserExport" })
export type UserExport = typeof UserExport.Type

export const UserExportList = Page(UserExport)

export const UserExportRequestResult = Schema.Struct({ export: Schema.Struct({ id: Schema.Int }) }).annotate({
  identifier: "UserExportRequestResult"
})

const Summary = Schema.Struct({ success: Schema.Int, duplicates: Schema.Int, errors: Schema.Int })

/** What became of each section (contract: UserImportResultSummary). */
export const UserImportResultSummary = Schema.Struct({
  stats: Schema.Struct(
    Object.fromEntries(importSections.map((section) => [section, Summary])) as Record<
      (typeof importSections)[number],
      typeof Summary
    >
  )
}).annotate({ identifier: "UserImportResultSummary" })
export type UserImportResultSummary = typeof UserImportResultSummary.Type

/** The last import of a user (contract: UserImport); what became of it is our own. */
export const UserImport = Schema.Struct({
  id: Schema.Int,
  state: NumberConstant,
  createdAt: Timestamp,
  resultSummary: Schema.optionalKey(UserImportResultSummary),
  error: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "UserImport" })
export type UserImport = typeof UserImport.Type
