import { Duration } from "effect"

/** A job for display. `since`: milliseconds since 1970. */
export interface ShownJob {
  readonly uuid: string
  readonly type: string
  readonly origin: string
  readonly phase: string
  readonly percent: number
  readonly since: number
}

/** Features of the terminal. `columns`: characters per line. */
export interface Look {
  readonly columns: number
  readonly colors: boolean
  readonly unicode: boolean
}

const escape = "\u001b["

/** Colours a text, unless colours are off. */
export const paint = ({ colors }: Pick<Look, "colors">, code: number, words: string): string =>
  colors && words !== "" ? `${escape}${code}m${words}${escape}0m` : words

const narrowest = 10
const widest = 40

/** From this percentage on the remaining time can be estimated from the elapsed time. */
const enough = 3

const clock = (millis: number): string => Duration.format(Duration.seconds(Math.max(0, Math.round(millis / 1000))))

const left = ({ percent, phase, since }: ShownJob, now: number): string =>
  percent < enough || phase === "upload" ? "" : `, ${clock(((now - since) * (100 - percent)) / percent)} left`

const doing = ({ percent, phase }: ShownJob): string => {
  if (phase === "upload") return "sends"
  return percent === 0 ? "begins" : "encodes"
}

const hostOf = ({ origin }: ShownJob): string => origin.replace(/^https?:\/\//, "")

const fitted = (words: string, columns: number): string => words.slice(0, Math.max(0, columns))

const bar = (percent: number, width: number, { unicode }: Look): string => {
  const full = Math.round((Math.min(100, percent) / 100) * width)
  const [done, open] = unicode ? ["█", "░"] : ["#", "-"]
  return done.repeat(full) + open.repeat(width - full)
}

/**
 * One line per job, no wider than the terminal: a bar, the progress, the work, the time, and the server. What does not
 * fit is left out. At most `rows` lines; further jobs are counted.
 */
export const jobLines = (
  jobs: ReadonlyArray<ShownJob>,
  now: number,
  look: Look,
  rows = Number.POSITIVE_INFINITY
): ReadonlyArray<string> => {
  // One column stays free, because a full line wraps on some terminals.
  const room = Math.max(1, look.columns - 1)
  const width = Math.min(room, widest, Math.max(narrowest, Math.floor(room / 5)))
  const shown = jobs.length <= rows ? jobs : jobs.slice(0, Math.max(0, rows - 1))
  const cells = shown.map((job) => [job.type, doing(job), clock(now - job.since) + left(job, now), hostOf(job)])
  const columns = [0, 1, 2, 3].map((index) => Math.max(0, ...cells.map((cell) => cell[index]!.length)))
  const begin = width + " 100 %  12345678".length
  const fits = columns.filter(
    (_, index) => begin + columns.slice(0, index + 1).reduce((sum, one) => sum + one + 2, 0) <= room
  )
  const lines = shown.map(({ percent, uuid }, index) => {
    const words = cells[index]!.slice(0, fits.length).map((cell, column) => cell.padEnd(columns[column] ?? 0))
    const rest = [` ${String(percent).padStart(3)} %`, uuid.slice(0, 8), ...words].join("  ").trimEnd()
    return `${paint(look, 36, bar(percent, width, look))}${fitted(rest, room - width)}`
  })
  const more = jobs.length - shown.length
  return more === 0 ? lines : [...lines, fitted(`and ${more} more`, room)]
}
