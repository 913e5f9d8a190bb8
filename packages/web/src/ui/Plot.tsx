import { useEffect, useRef, useState } from "preact/hooks"
import { currentLanguage } from "../i18n/Text.ts"
import { number } from "../i18n/Units.ts"
import type { Series } from "./PlotDrawing.ts"

/** Values over time. The drawing is loaded when a page shows one; the table under it says the same to who cannot see it. */
export const Plot = ({
  height = 220,
  label,
  series,
  times
}: {
  readonly label: string
  /** Seconds since the epoch, ascending. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  readonly height?: number
}) => {
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  useEffect(() => {
    let remove = () => {}
    let gone = false
    void import("./PlotDrawing.ts").then(
      ({ draw }) => {
        if (!gone && box.current !== null) remove = draw(box.current, { height, series, times, onPoint: setAt })
      },
      () => {}
    )
    return () => {
      gone = true
      remove()
    }
  }, [times, series, height])
  const time = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium" })
  return (
    <figure class="plot">
      <figcaption>
        <strong>{label}</strong>
        <span class="plot-key" aria-hidden="true">
          {at !== null && <span>{time.format((times[at] ?? 0) * 1000)}</span>}
          {series.map((it, i) => (
            <span key={it.label} class={`plot-line plot-line-${(i % 4) + 1}`}>
              {it.label} {at !== null && <b>{number(it.values[at] ?? 0)}</b>}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={box} class="plot-box" style={{ minHeight: `${height}px` }} aria-hidden="true" />
      <div class="sr">
        <table>
          <caption>{label}</caption>
          <tbody>
            {times.map((at, i) => (
              <tr key={at}>
                <th scope="row">{time.format(at * 1000)}</th>
                {series.map((it) => (
                  <td key={it.label}>
                    {it.label} {number(it.values[i] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
