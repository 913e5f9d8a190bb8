import { inUnits } from "../backup/Progress.ts"

/** What became of the rows of a table. */
export interface TableReport {
  readonly table: string
  /** Rows of the old database. */
  readonly rows: number
  /** Rows that were written; null before anything was. */
  readonly written: number | null
  /** Rows of the new table at the end; null if its rows are not the same ones. */
  readonly present: number | null
  /** Why rows were refused, at most some of them. */
  readonly refused: ReadonlyArray<string>
}

/** A file that could not be brought. */
export interface MissingFile {
  readonly kind: string
  readonly name: string
  readonly reason: string
}

export interface FileReport {
  readonly files: number
  readonly bytes: number
  readonly missing: ReadonlyArray<MissingFile>
  readonly missingCount: number
  /** Files whose SHA-256 is that of the source. */
  readonly verified: number
  readonly damaged: ReadonlyArray<string>
}

export interface SettingsReport {
  readonly carried: ReadonlyArray<string>
  readonly leftBehind: ReadonlyArray<string>
}

/** What an import has found and done. */
export interface MovingReport {
  readonly origin: string
  readonly dryRun: boolean
  readonly tables: ReadonlyArray<TableReport>
  readonly leftBehind: ReadonlyArray<{ readonly table: string; readonly rows: number; readonly reason: string }>
  readonly unknownTables: ReadonlyArray<{ readonly table: string; readonly rows: number }>
  readonly unknownColumns: ReadonlyArray<string>
  readonly missingTables: ReadonlyArray<string>
  readonly missingColumns: ReadonlyArray<string>
  readonly files: FileReport
  readonly settings: SettingsReport | null
  readonly notes: ReadonlyArray<string>
}

/** Names that are printed; the report in JSON has all of them. */
const shownNames = 20

/** Control characters in names of the old database do not reach the terminal. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")

const section = (title: string, lines: ReadonlyArray<string>, most = shownNames): ReadonlyArray<string> => {
  if (lines.length === 0) return []
  const more = lines.length - most
  return [
    "",
    `${title}:`,
    ...lines.slice(0, most).map((line) => `  ${plain(line)}`),
    ...(more > 0 ? [`  … and ${more} more`] : [])
  ]
}

const tableLine = ({ present, rows, table, written }: TableReport): string => {
  if (written === null) return `${table}: ${rows}`
  const left = rows - written
  const there = present === null ? "" : `, ${present} there`
  return `${table}: ${written} of ${rows}${there}${left > 0 ? `; ${left} left out` : ""}`
}

/** Tables that have fewer rows in the end than were written, where no file that was missing has taken some. */
export const shortTables = ({ files, tables }: MovingReport): ReadonlyArray<string> =>
  files.missingCount > 0
    ? []
    : tables.flatMap(({ present, table, written }) =>
        present !== null && written !== null && present < written ? [table] : []
      )

/** The report as people read it. */
export const reportText = (report: MovingReport): string => {
  const { files } = report
  const counted = `${files.files} files, ${inUnits(files.bytes)}`
  return [
    `Instance ${report.origin}`,
    ...section(
      "Rows",
      report.tables.filter(({ rows, written }) => rows > 0 || (written ?? 0) > 0).map(tableLine),
      Infinity
    ),
    "",
    report.dryRun ? `Files: ${counted}` : `Files: ${counted}, ${files.verified} verified by SHA-256`,
    ...section(
      `Files that are missing (${files.missingCount})`,
      files.missing.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`)
    ),
    ...section("Files that are damaged", files.damaged),
    ...section(
      "Rows that the database refused",
      report.tables.flatMap(({ refused, table }) => refused.map((why) => `${table}, ${why}`))
    ),
    ...section(
      "Left behind",
      report.leftBehind.filter(({ rows }) => rows > 0).map(({ reason, rows, table }) => `${table} (${rows}): ${reason}`)
    ),
    ...section(
      "Tables that are not known, and left behind",
      report.unknownTables.map(({ rows, table }) => `${table} (${rows})`)
    ),
    ...section("Columns that are not known, and left behind", report.unknownColumns),
    ...section("Tables that are not there", report.missingTables),
    ...section("Columns that are not there", report.missingColumns),
    ...section("Settings carried over", report.settings?.carried ?? []),
    ...section("Settings left behind", report.settings?.leftBehind ?? []),
    ...section("Note", report.notes)
  ].join("\n")
}
