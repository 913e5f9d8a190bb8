import { Cause, Clock, Config, Context, Duration, Effect, Layer, Logger } from "effect"
import { CurrentLogAnnotations } from "effect/References"
import { WriteStream } from "node:tty"
import { RunningJobs } from "../running/RunningJobs.ts"
import { jobLines, type Look, paint } from "./Bars.ts"

const escape = "\u001b["

/** Output target: a terminal, or a test's replacement. */
export interface Terminal {
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  readonly write: (text: string) => unknown
}

/** Terminals that do not know their size, such as serial consoles, report 0. */
const knownSize = (size: number | undefined): number | undefined => (size === 0 ? undefined : size)

/** Lines that stay at the bottom of a terminal while log lines scroll above them. */
export class Board {
  readonly #terminal: Terminal
  #shown: ReadonlyArray<string> = []

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  get columns(): number {
    return knownSize(this.#terminal.columns) ?? 80
  }

  get rows(): number {
    return knownSize(this.#terminal.rows) ?? 24
  }

  /** Moves to the start of the first line. A terminal that became narrower has wrapped the lines. */
  #erase(): string {
    // oxlint-disable-next-line no-control-regex -- colours take no space
    const wide = this.#shown.map((line) => line.replaceAll(/\u001b\[\d+m/g, "").length)
    const rows = wide.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / this.columns)), 0)
    return rows === 0 ? "" : `${escape}${rows}A\r${escape}0J`
  }

  #draw(text: string): void {
    this.#terminal.write(text + this.#shown.map((line) => `${line}\n`).join(""))
  }

  /** Replaces the lines. */
  show(lines: ReadonlyArray<string>): void {
    if (lines.length === this.#shown.length && lines.every((line, index) => line === this.#shown[index])) return
    const before = this.#erase()
    this.#shown = lines
    this.#draw(before)
  }

  /** Writes above the lines. */
  log(text: string): void {
    this.#draw(`${this.#erase()}${text}\n`)
  }
}

const drawEvery = Duration.millis(500)
const reportEvery = Duration.minutes(1)

const variable = (name: string) =>
  Config.String(name).pipe(
    Config.withDefault(""),
    Effect.orElseSucceed(() => "")
  )

/** Whether standard output is a terminal that can move its cursor. */
const isTerminal = Effect.map(variable("TERM"), (term) => process.stdout instanceof WriteStream && term !== "dumb")

/** Features of the terminal, from its width, `NO_COLOR` (no-color.org) and the locale. */
export const terminalLook = Effect.gen(function* () {
  const all = yield* variable("LC_ALL")
  const type = all === "" ? yield* variable("LC_CTYPE") : all
  const locale = type === "" ? yield* variable("LANG") : type
  return {
    columns: knownSize(process.stdout.columns) ?? 120,
    colors: (yield* isTerminal) && (yield* variable("NO_COLOR")) === "",
    unicode: /utf-?8/i.test(locale)
  } satisfies Look
})

const colours: Readonly<Record<string, number>> = { Fatal: 31, Error: 31, Warn: 33, Debug: 90, Trace: 90 }

/** A readable log line: the time, the message, and the job. */
export const readableLog = (look: Pick<Look, "colors">) =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const words = (Array.isArray(message) ? message : [message]).map(String).join(" ")
    const { job, server, type, ...others } = fiber.getRef(CurrentLogAnnotations)
    const about = [
      ...(job === undefined ? [] : [String(job).slice(0, 8)]),
      ...[type, server].filter((it) => it !== undefined).map(String),
      ...Object.entries(others).map(([key, value]) => `${key}=${String(value)}`)
    ].join(" ")
    const fault = cause.reasons.length === 0 ? "" : `\n${Cause.pretty(cause)}`
    const code = colours[logLevel]
    const text = code === undefined ? words : paint(look, code, words)
    const time = date.toTimeString().slice(0, 8)
    return `${paint(look, 90, time)} ${text}${about === "" ? "" : `  ${paint(look, 90, about)}`}${fault}`
  })

/** Shows the work: on a terminal as bars below the log, elsewhere as JSON lines. */
export class Screen extends Context.Service<
  Screen,
  {
    readonly logger: Logger.Logger<unknown, void>
    /** Shows the jobs until it is interrupted. */
    readonly follow: Effect.Effect<never, never, RunningJobs>
  }
>()("@kinora/runner/cli/Screen") {
  static readonly layer = Layer.effect(
    Screen,
    Effect.gen(function* () {
      const running = Effect.flatMap(RunningJobs, ({ all }) => all)
      if (!(yield* isTerminal)) {
        const show = Effect.gen(function* () {
          yield* Effect.sleep(reportEvery)
          for (const { origin, percent, phase, type, uuid } of yield* running) {
            yield* Effect.logInfo("Job resumed").pipe(
              Effect.annotateLogs({ job: uuid, type, server: origin, phase, percent })
            )
          }
        })
        return Screen.of({ logger: Logger.consoleJson, follow: Effect.forever(show) })
      }
      const look = yield* terminalLook
      const board = new Board(process.stdout)
      const draw = Effect.gen(function* () {
        const jobs = yield* running
        const now = yield* Clock.currentTimeMillis
        board.show(jobLines(jobs, now, { ...look, columns: board.columns }, board.rows - 2))
        yield* Effect.sleep(drawEvery)
      })
      return Screen.of({
        logger: Logger.map(readableLog(look), (text) => board.log(text)),
        follow: Effect.forever(draw).pipe(Effect.ensuring(Effect.sync(() => board.show([]))))
      })
    })
  )
}
