/** Types of columns as `jsonb_to_recordset` reads them. */
export type ColumnType =
  | "integer"
  | "bigint"
  | "double precision"
  | "boolean"
  | "text"
  | "text[]"
  | "smallint[]"
  | "jsonb"
  | "timestamptz"
  | "uuid"

/** Rows as JSON objects that the caller may add to, such as values that are sealed before they are stored. */
export type RowTransform = "actor" | "user" | "live" | "registration"

/** What becomes of one table of the old instance. Ids stay the same, so that rows find each other. */
export interface MovingStep {
  /** Unique. */
  readonly name: string
  readonly table: string
  /** Integer columns that identify the rows and order them; `id` if absent. */
  readonly key?: ReadonlyArray<string>
  /** Every column that is read. One that the old database lacks is null. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Columns that `select` or a transform adds. */
  readonly added?: Readonly<Record<string, ColumnType>>
  /** Columns that are known and left behind. */
  readonly dropped?: ReadonlyArray<string>
  /** Columns without which nothing can be read. */
  readonly needed?: ReadonlyArray<string>
  /** A statement in place of the plain table, if the old database has all of these tables. */
  readonly select?: { readonly tables: ReadonlyArray<string>; readonly text: string }
  readonly transform?: RowTransform
  /**
   * Statements over the rows, which are `${rows}` in it, with the columns in double quotes. The last one returns a row for each row that
   * was written.
   */
  readonly write: (rows: string) => ReadonlyArray<string>
  /** Statements without rows, in the same transaction. */
  readonly after?: ReadonlyArray<string>
}

/** `jsonb_to_recordset` of the parameter `$1` of a step. */
export const recordset = ({ added, columns }: MovingStep): string =>
  `jsonb_to_recordset($1::text::jsonb) as r (${Object.entries({ ...columns, ...added })
    .map(([name, type]) => `"${name}" ${type}`)
    .join(", ")})`

export const keyOf = (step: MovingStep): ReadonlyArray<string> => step.key ?? ["id"]

/** Times of creation and change, which most tables have. */
export const times = { createdAt: "timestamptz", updatedAt: "timestamptz" } as const

/** SQL: a file name that our object store takes. */
export const isFileName = (column: string): string => `${column} ~ '^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$'`

/** Table that a step fills, if there is one whose rows are those that were written. */
export const targetOf = (step: MovingStep): string | undefined =>
  /^(?:with made as \(\s*)?insert into ([a-z_]+) \(/.exec(step.write("").at(-1) ?? "")?.[1]
