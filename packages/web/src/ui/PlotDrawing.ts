import UPlot, { type AlignedData, type Options } from "uplot"
import { currentLanguage } from "../i18n/Text.ts"
import { number } from "../i18n/Units.ts"

export interface Series {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

export interface Drawing {
  readonly height: number
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  /** The place in `times` that is pointed at; null for none. */
  readonly onPoint: (at: number | null) => void
}

/** Tokens of the lines; `plot-line-…` of the key has the same. */
const colours = ["--accent", "--plot-2", "--plot-3", "--plot-4"]

/** In seconds. */
const day = 86_400

/** How a time stands below the axis, where two of them are this many seconds apart. */
const dateText = (step: number) => {
  const parts: Intl.DateTimeFormatOptions =
    step < day ? { hour: "numeric", minute: "numeric" } : { day: "numeric", month: "short" }
  const format = new Intl.DateTimeFormat(currentLanguage(), parts)
  return (seconds: number): string => format.format(seconds * 1000)
}

/** Around one value alone, uPlot would show years. */
const around = (times: ReadonlyArray<number>): Pick<Options, "scales"> & { readonly splits?: () => Array<number> } => {
  const [at] = times
  if (times.length !== 1 || at === undefined) return {}
  return { scales: { x: { range: [at - day, at + day] } }, splits: () => [at] }
}

/** Draws values over time into a box, as wide as it is, and again when its width or the colours change; gives what removes it. */
export const draw = (box: HTMLElement, { height, onPoint, series, times }: Drawing): (() => void) => {
  const colour = (name: string) => getComputedStyle(box).getPropertyValue(name).trim()
  const options = (): Options => {
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } }
    const { scales, splits } = around(times)
    return {
      width: Math.max(200, box.clientWidth),
      height,
      ...(scales === undefined ? {} : { scales }),
      legend: { show: false },
      hooks: { setCursor: [(it) => onPoint(it.cursor.idx ?? null)] },
      cursor: { y: false, points: { size: 8 } },
      axes: [
        splits === undefined
          ? { ...axis, values: (_, at, __, ___, step) => at.map(dateText(step)) }
          : { ...axis, splits, values: (_, at) => at.map(dateText(day)) },
        { ...axis, size: 56, values: (_, at) => at.map((value) => number(value, value >= 10_000)) }
      ],
      series: [
        {},
        ...series.map((_, i) => ({
          stroke: colour(colours[i % colours.length] ?? "--accent"),
          fill: i === 0 ? colour("--accent-wash") : "transparent",
          width: 2,
          // One value alone has no line.
          points: { show: times.length === 1 }
        }))
      ]
    }
  }
  const data: AlignedData = [[...times], ...series.map(({ values }) => [...values])]
  let plot = new UPlot(options(), data, box)
  const redraw = (): void => {
    plot.destroy()
    plot = new UPlot(options(), data, box)
  }
  const resized = new ResizeObserver(() => plot.setSize({ width: Math.max(200, box.clientWidth), height }))
  resized.observe(box)
  const scheme = matchMedia("(prefers-color-scheme: dark)")
  scheme.addEventListener("change", redraw)
  return () => {
    resized.disconnect()
    scheme.removeEventListener("change", redraw)
    plot.destroy()
  }
}
