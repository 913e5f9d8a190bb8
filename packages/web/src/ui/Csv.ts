import { saveFile } from "./SaveFile.ts"

type Cell = string | number

/** A cell as RFC 4180 has it. A text that a spreadsheet would take for a formula begins with an apostrophe. */
const written = (cell: Cell): string => {
  const text = typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV. */
const csvOf = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  rows.map((row) => `${row.map(written).join(",")}\r\n`).join("")

/** Saves rows as a file. */
export const saveCsv = (name: string, rows: ReadonlyArray<ReadonlyArray<Cell>>): void =>
  saveFile(name, csvOf(rows), "text/csv")
