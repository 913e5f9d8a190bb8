import { text } from "../../i18n/Text.ts"
import { number } from "../../i18n/Units.ts"
import { saveCsv } from "../../ui/Csv.ts"

const t = text("statistics")

/** A button that saves what is shown. */
export const Export = ({
  columns,
  file,
  rows,
  what
}: {
  readonly what: string
  readonly file: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>
}) => (
  <button
    type="button"
    class="btn btn-plain btn-small"
    aria-label={t("exportOf", { what })}
    onClick={() => saveCsv(`${file}.csv`, [columns, ...rows])}
  >
    {t("export")}
  </button>
)

export interface Share {
  readonly name: string
  readonly viewers: number
}

/** Viewers by name, as bars. */
export const Shares = ({
  file,
  id,
  label,
  shares
}: {
  readonly id: string
  readonly label: string
  readonly file: string
  readonly shares: ReadonlyArray<Share>
}) => {
  const most = Math.max(1, ...shares.map((it) => it.viewers))
  if (shares.length === 0) return null
  return (
    <section class="card stack" aria-labelledby={id}>
      <header class="acts s-head">
        <h2 id={id}>{label}</h2>
        <Export
          what={label}
          file={file}
          columns={[t("name"), t("viewers")]}
          rows={shares.map((it) => [it.name, it.viewers] as const)}
        />
      </header>
      <ul class="bars">
        {shares.map((it) => (
          <li key={it.name}>
            <span>{it.name}</span>
            <span class="bar" style={{ width: `${(100 * it.viewers) / most}%` }} aria-hidden="true" />
            <strong>{number(it.viewers)}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}
