import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import type { Loading } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Pager } from "../../ui/Pager.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { BulkBar } from "../../ui/Toolbar.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("common")

/** Rows of a page of a list. */
export const perPage = 30

/** Where the page of a list begins that the address names. */
export const startOfPage = (): number => Math.max(0, Math.floor(Number(place.value.query.get("start") ?? 0)) || 0)

/** Changes a filter in the address; the list begins at its start again. */
export const setFilter = (changes: Readonly<Record<string, string | undefined>>): void =>
  setQuery({ ...changes, start: undefined })

interface ListOf<Row> {
  readonly total: number
  readonly data: ReadonlyArray<Row>
}

interface CommonProps<Row> {
  /** What is listed, for readers of the screen. */
  readonly label: string
  readonly list: Loading<ListOf<Row>>
  /** Search and filters. */
  readonly tools?: ComponentChildren
  /** In the place of a list without rows. */
  readonly empty: ComponentChildren
}

const toStart = (next: number): void => {
  setQuery({ start: next === 0 ? undefined : String(next) })
  scrollTo(0, 0)
}

/** What is around the rows of a list: failures, grey lines while it is loaded, what stands for nothing, the way to more. */
export const ListFrame = <Row,>({
  children,
  empty,
  list,
  tools
}: Omit<CommonProps<Row>, "label"> & { readonly children: (rows: ReadonlyArray<Row>) => ComponentChildren }) => {
  const rows = list.data?.data ?? []
  return (
    <>
      {tools !== undefined && <div class="toolbar">{tools}</div>}
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={8} />}
      {list.data !== undefined && rows.length === 0 && empty}
      {rows.length > 0 && (
        <>
          {children(rows)}
          <Pager start={startOfPage()} count={perPage} total={list.data?.total ?? 0} onStart={toStart} />
        </>
      )}
    </>
  )
}

/** A list as a table, sorted and paged by the address; with `bulk`, rows are selected and changed together. */
export const ListView = <Row,>({
  bulk,
  columns,
  keyOf,
  label,
  list,
  nameOf,
  sort,
  tools,
  ...frame
}: CommonProps<Row> & {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly keyOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  readonly sort?: string
  /** What is done with the selected rows; `done` ends the selection and loads the list again. */
  readonly bulk?: (rows: ReadonlyArray<Row>, done: () => void) => ComponentChildren
}) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { query } = place.value
  const where = query.toString()
  useEffect(() => setChosen(new Set()), [where])
  const rows = (list.data?.data ?? []).filter((row) => chosen.has(keyOf(row)))
  const clear = (): void => setChosen(new Set())
  const done = (): void => {
    clear()
    void list.again()
  }
  return (
    <ListFrame
      {...frame}
      list={list}
      tools={
        bulk !== undefined && rows.length > 0 ? (
          <BulkBar count={rows.length} onClear={clear}>
            {bulk(rows, done)}
          </BulkBar>
        ) : (
          tools
        )
      }
    >
      {(shown) => (
        <Table
          label={label}
          columns={columns}
          rows={shown}
          keyOf={keyOf}
          nameOf={nameOf}
          busy={list.busy}
          {...(sort === undefined ? {} : { sort, onSort: (by: string) => setFilter({ sort: by }) })}
          {...(bulk === undefined ? {} : { selection: { keys: chosen, onKeys: setChosen } })}
        />
      )}
    </ListFrame>
  )
}

/** One of several filters, in a small select beside the search. */
export const Filter = ({
  label,
  name,
  options
}: {
  readonly label: string
  /** Name in the address. */
  readonly name: string
  /** Without the one that leaves it open. */
  readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
}) => (
  <select
    class="in in-select filter"
    aria-label={label}
    value={place.value.query.get(name) ?? ""}
    onChange={(event) => setFilter({ [name]: event.currentTarget.value })}
  >
    <option value="">{`${label}: ${t("all")}`}</option>
    {options.map((it) => (
      <option key={it.value} value={it.value}>
        {it.label}
      </option>
    ))}
  </select>
)
