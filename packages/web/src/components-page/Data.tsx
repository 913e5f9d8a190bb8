import { useMemo, useState } from "preact/hooks"
import { Button } from "../ui/Button.tsx"
import { InfiniteList } from "../ui/InfiniteList.tsx"
import { Pager } from "../ui/Pager.tsx"
import { Plot } from "../ui/Plot.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import { BulkBar, SearchBox } from "../ui/Toolbar.tsx"

interface Row {
  readonly id: number
  readonly name: string
  readonly views: number
}

const columns: ReadonlyArray<Column<Row>> = [
  { key: "name", label: "Name", sort: "name", wide: true, cell: (it) => it.name },
  { key: "id", label: "Number", cell: (it) => it.id },
  { key: "views", label: "Views", sort: "views", align: "end", cell: (it) => it.views }
]

const many: ReadonlyArray<Row> = Array.from({ length: 10_000 }, (_, id) => ({
  id,
  name: `Row ${String(id).padStart(5, "0")}`,
  views: (id * 7919) % 10_007
}))

const ordered = (rows: ReadonlyArray<Row>, sort: string): ReadonlyArray<Row> => {
  const by = sort.replace("-", "") === "views" ? (it: Row) => it.views : (it: Row) => it.id
  return rows.toSorted((a, b) => (sort.startsWith("-") ? by(b) - by(a) : by(a) - by(b)))
}

/** Ten thousand rows, of which those near the window are drawn. */
export const Tables = () => {
  const [sort, setSort] = useState("name")
  const [search, setSearch] = useState("")
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(
    () =>
      ordered(
        many.filter((it) => it.name.includes(search)),
        sort
      ),
    [search, sort]
  )
  const [short, setShort] = useState(true)
  return (
    <section>
      <h2>Table</h2>
      <div class="toolbar">
        {keys.size === 0 ? (
          <SearchBox label="Search rows" value={search} onValue={setSearch} />
        ) : (
          <BulkBar count={keys.size} onClear={() => setKeys(new Set())}>
            <Button small kind="danger" icon="trash">
              Delete
            </Button>
          </BulkBar>
        )}
        <Button onClick={() => setShort(!short)}>{short ? "All 10,000" : "Five"}</Button>
      </div>
      <Table
        label="Rows"
        columns={columns}
        rows={short ? rows.slice(0, 5) : rows}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.name}
        sort={sort}
        onSort={setSort}
        selection={{ keys, onKeys: setKeys }}
      />
    </section>
  )
}

export const Lists = () => {
  const [start, setStart] = useState(30)
  const [count, setCount] = useState(3)
  return (
    <section>
      <h2>Lists</h2>
      <Pager start={start} count={15} total={100} onStart={setStart} />
      <InfiniteList label="Endless" busy={false} hasMore={count < 6} onMore={() => setCount(count + 3)}>
        {Array.from({ length: count }, (_, i) => (
          <li class="card" key={i}>
            Item {i + 1}
          </li>
        ))}
      </InfiniteList>
    </section>
  )
}

const times = Array.from({ length: 60 }, (_, i) => 1_790_000_000 + i * 86_400)

export const Plots = () => (
  <section>
    <h2>Plot</h2>
    <Plot
      label="Views by day"
      times={times}
      series={[
        { label: "Views", values: times.map((_, i) => Math.round(200 + 120 * Math.sin(i / 5) + 3 * i)) },
        { label: "Viewers", values: times.map((_, i) => Math.round(120 + 60 * Math.cos(i / 7) + 2 * i)) }
      ]}
    />
  </section>
)
