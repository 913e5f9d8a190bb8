import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { text } from "../i18n/Text.ts"
import { Icon } from "./Icon.tsx"
import { useWindow } from "./Rows.ts"

const t = text("common")

export interface Column<Row> {
  readonly key: string
  readonly label: string
  readonly cell: (row: Row) => ComponentChildren
  /** The name by which the server sorts; a column without one is not sorted by. */
  readonly sort?: string
  readonly align?: "end"
  /** Takes the room that others leave. */
  readonly wide?: boolean
  /** Its name is shown to readers of the screen alone. */
  readonly quiet?: boolean
}

export interface Selection {
  readonly keys: ReadonlySet<string>
  readonly onKeys: (keys: ReadonlySet<string>) => void
}

export interface TableProps<Row> {
  /** What the rows are, for readers of the screen. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  /** Name of the column that the rows are sorted by, after a "-" for the largest first. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  readonly selection?: Selection
  /** Rows are being loaded: those shown are the old ones. */
  readonly busy?: boolean
}

const Heading = <Row,>({
  column,
  onSort,
  sort
}: { readonly column: Column<Row> } & Pick<TableProps<Row>, "sort" | "onSort">) => {
  const descending = sort === `-${column.sort}`
  const sorted = column.sort !== undefined && (descending || sort === column.sort)
  const order = sorted ? (descending ? "descending" : "ascending") : undefined
  return (
    <th scope="col" role="columnheader" aria-sort={order} data-align={column.align} data-wide={column.wide}>
      {column.sort === undefined || onSort === undefined ? (
        <span class={column.quiet === true ? "sr" : undefined}>{column.label}</span>
      ) : (
        <button
          type="button"
          class="th-sort"
          aria-label={t("sortBy", { column: column.label })}
          onClick={() => onSort(descending ? (column.sort ?? "") : `-${column.sort}`)}
        >
          {column.label}
          <span class="th-mark">{sorted && <Icon name={descending ? "down" : "up"} size={14} />}</span>
        </button>
      )}
    </th>
  )
}

const toggled = (keys: ReadonlySet<string>, key: string, on: boolean): ReadonlySet<string> => {
  const next = new Set(keys)
  if (on) next.add(key)
  else next.delete(key)
  return next
}

/** Rows with headings, sorting and selection; on a narrow screen each row is a card. Only rows near the window are drawn. */
export const Table = <Row,>({
  busy = false,
  columns,
  keyOf,
  label,
  nameOf,
  onSort,
  rows,
  selection,
  sort
}: TableProps<Row>) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const { above, below, from, to } = useWindow(body, rows.length)
  const chosen = selection === undefined ? 0 : rows.filter((row) => selection.keys.has(keyOf(row))).length
  const width = columns.length + (selection === undefined ? 0 : 1)
  const spacer = (height: number) =>
    height > 0 && (
      <tr role="presentation" class="t-space">
        <td role="presentation" colSpan={width} style={{ height: `${height}px` }} />
      </tr>
    )
  return (
    <table class="t" role="table" aria-label={label} aria-rowcount={rows.length + 1} aria-busy={busy}>
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {selection !== undefined && (
            <th scope="col" role="columnheader" class="t-check">
              <label class="hit">
                <span class="sr">{t("selectAll")}</span>
                <input
                  type="checkbox"
                  checked={rows.length > 0 && chosen === rows.length}
                  ref={(it) => {
                    if (it !== null) it.indeterminate = chosen > 0 && chosen < rows.length
                  }}
                  onChange={(event) => selection.onKeys(new Set(event.currentTarget.checked ? rows.map(keyOf) : []))}
                />
              </label>
            </th>
          )}
          {columns.map((column) => (
            <Heading
              key={column.key}
              column={column}
              {...(sort === undefined ? {} : { sort })}
              {...(onSort === undefined ? {} : { onSort })}
            />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body}>
        {spacer(above)}
        {rows.slice(from, to).map((row, i) => {
          const key = keyOf(row)
          const isChosen = selection?.keys.has(key) === true
          return (
            <tr role="row" key={key} data-row aria-rowindex={from + i + 2} data-chosen={isChosen}>
              {selection !== undefined && (
                <td role="cell" class="t-check">
                  <label class="hit">
                    <span class="sr">{t("selectRow", { name: nameOf(row) })}</span>
                    <input
                      type="checkbox"
                      checked={isChosen}
                      onChange={(event) => selection.onKeys(toggled(selection.keys, key, event.currentTarget.checked))}
                    />
                  </label>
                </td>
              )}
              {columns.map((column) => (
                <td
                  key={column.key}
                  role="cell"
                  data-align={column.align}
                  data-wide={column.wide}
                  data-label={column.quiet === true ? undefined : column.label}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
        {spacer(below)}
      </tbody>
    </table>
  )
}
