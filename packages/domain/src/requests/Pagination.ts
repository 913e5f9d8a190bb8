import { constraints } from "../enums/Constraints.ts"
import { optional, type Reader } from "./Field.ts"
import { boolean, integer } from "./Readers.ts"

const { count, start } = constraints.pagination

/** First item of a page, counted from 0. */
export const startReader = integer({ ...start, message: "Should have a number start, from 0" })

/** Items of a page. 0 asks for the total alone; the contract documents the bound 1. */
export const countReader = integer({
  min: count.min,
  max: count.max,
  message: `Should have a number count (max: ${count.max})`,
  documented: { minimum: count.documentedMin, default: count.default }
})

/** A sort order: a column, and whether the largest comes first. */
export interface Sort<Column extends string> {
  readonly by: Column
  readonly descending: boolean
}

/** Reads `createdAt` or `-createdAt` for the columns of a list (contract: SortableColumns); all others are refused. */
export const sortReader = <const Column extends string>(columns: ReadonlyArray<Column>): Reader<Sort<Column>> => ({
  message: `Should have correct sortable columns: ${columns.join(", ")}`,
  documented: { type: "string", enum: columns.flatMap((column) => [column, `-${column}`]) },
  parse: (input) => {
    if (typeof input !== "string") return undefined
    const descending = input.startsWith("-")
    const by = columns.find((column) => column === (descending ? input.slice(1) : input))
    return by === undefined ? undefined : { by, descending }
  }
})

/** Query of a list: `start`, `count`, `sort`. */
export const pageQuery = <const Column extends string>(columns: ReadonlyArray<Column>) => ({
  start: optional(startReader),
  count: optional(countReader),
  sort: optional(sortReader(columns))
})

export const skipCountReader = boolean("skipCount", { type: "string", enum: ["true", "false"], default: "false" })

/** What a list without parameters answers with. */
export const defaultPage = { start: 0, count: count.default } as const
