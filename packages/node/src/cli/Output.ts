import { Console, Effect, Schema } from "effect"
import { Flag } from "effect/cli"

/** `--json`, of every command that prints facts. */
export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON, for programs, instead of text"),
  Flag.withDefault(false)
)

/** `--count`, of every list. */
export const count = Flag.Int("count").pipe(
  Flag.withMetavar("N"),
  Flag.withDescription("Print at most this many; 50 unless given"),
  Flag.withDefault(50)
)

/** `--search`, of lists that can be searched. */
export const search = (where: string) =>
  Flag.String("search").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withDescription(`Print only those with this text in ${where}`),
    Flag.optional
  )

/** The columns of a table: heading, and what stands under it. */
export type Columns<A> = Readonly<Record<string, (item: A) => unknown>>

/** A part of a list, and how long the whole is: as the lists of the REST API. */
export interface ListPart<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

const asJson = Schema.encodeSync(Schema.fromJsonString(Schema.Unknown))

const longestCell = 60

/**
 * A value as text for a terminal. Names and reasons come from other people: control characters, with which they could
 * change what the terminal shows, become spaces.
 */
const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "-"
  if (value === true) return "yes"
  if (value === false) return "no"
  const text = value instanceof Date ? value.toISOString() : String(value)
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim()
  return plain.length > longestCell ? `${plain.slice(0, longestCell - 1)}…` : plain
}

/** Rows below their headings, each column as wide as its widest cell. */
export const renderTable = <A>(items: ReadonlyArray<A>, columns: Columns<A>): string => {
  const headings = Object.keys(columns)
  const rows = [
    headings.map((heading) => heading.toUpperCase()),
    ...items.map((item) => headings.map((heading) => cell(columns[heading]!(item))))
  ]
  const widths = headings.map((_, place) => Math.max(...rows.map((row) => row[place]!.length)))
  return rows
    .map((row) =>
      row
        .map((text, place) => text.padEnd(widths[place]!))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Prints a value as JSON on one line. */
export const printJson = (value: unknown) => Console.log(asJson(value))

/** Prints a list as JSON, or as a table that says what it leaves out. */
export const printList = Effect.fnUntraced(function* <A>(
  isJson: boolean,
  { data, total }: ListPart<A>,
  columns: Columns<A>
) {
  if (isJson) return yield* printJson({ total, data })
  if (data.length === 0) return yield* Console.log(total === 0 ? "None." : `None of ${total}.`)
  yield* Console.log(renderTable(data, columns))
  if (data.length < total) yield* Console.log(`${data.length} of ${total}; --count shows more.`)
})

/** Prints what a command did: the same facts as JSON, or a sentence. */
export const printDone = (isJson: boolean, facts: Readonly<Record<string, unknown>>, sentence: string) =>
  isJson ? printJson(facts) : Console.log(sentence)
