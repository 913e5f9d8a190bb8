import { constraints } from "../enums/Constraints.ts"
import type { Reader } from "../fields/Field.ts"
import { boolean, integer } from "../fields/Readers.ts"

const { count, start } = constraints.pagination

/** First item of a page, counted from 0. */
export const startReader = integer({ ...start, message: "Must be a whole number, 0 or more" })

/** Items of a page. 0 asks for the total alone; the contract documents the bound 1. */
export const countReader = integer({
  min: count.min,
  max: count.max,
  message: `Must be a whole number from ${count.min} to ${count.max}`,
  documented: { minimum: count.documentedMin, default: count.default }
})

/** A sort order: a column, and whether the largest comes first. */
export interface Sort<Column extends string> {
  readonly by: Column
  readonly descending: boolean
}

/** Reads `createdAt` or `-createdAt` for the columns of a list (contract: SortableColumns); all others are refused. */
export const sortReader = <const Column extends string>(columns: ReadonlyArray<Column>): Reader<Sort<Column>> => ({
  message: `Must be one of these, after a "-" for the reverse order: ${columns.join(", ")}`,
  documented: { type: "string", enum: columns.flatMap((column) => [column, `-${column}`]) },
  parse: (input) => {
    if (typeof input !== "string") return undefined
    const descending = input.startsWith("-")
    const by = columns.find((column) => column === (descending ? input.slice(1) : input))
    return by === undefined ? undefined : { by, descending }
  }
})

/** Readers of a list's query: `start`, `count`, `sort`. */
export const pageReaders = <const Column extends string>(columns: ReadonlyArray<Column>) => ({
  start: startReader,
  count: countReader,
  sort: sortReader(columns)
})

export const skipCountReader = boolean({ type: "string", enum: ["true", "false"], default: "false" })

/** What a list without parameters answers with. */
export const defaultPage = { start: 0, count: count.default } as const
