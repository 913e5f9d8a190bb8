import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type ViewReport, ViewingRows, type ViewingRules } from "@kinora/storage/video/view/ViewingRows"
import { Clock, Context, Duration, Effect, Layer, Semaphore } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** A buffered report, with the time it arrived (this node's clock, milliseconds). */
export interface Waiting extends Omit<ViewReport, "age"> {
  readonly at: number
}

/** Viewers with buffered reports. Beyond this, reporters wait for the database. */
const maxViewers = 10_000
/** Buffered reports of one viewer. Further ones replace the last. */
const maxPerViewer = 4
/** Reports per statement. */
const batch = 1000
/** Milliseconds. A changed clock could give any age, so ages are capped here. */
const oldest = 10_000
/** Open sessions of a video per address: enough for a school, but a limit for scripts. */
const perAddress = 50

/**
 * Reports of viewers, buffered in memory and written every other second (see `ViewTasks`): a node that dies loses only
 * those. Memory is bounded: when the buffer is full, reporters wait until it was written.
 */
export class ViewReports extends Context.Service<
  ViewReports,
  {
    readonly add: (report: Omit<Waiting, "at">) => Effect.Effect<void, DatabaseUnavailable>
    /** Writes the buffered reports. Those that could not be written stay. */
    readonly flush: Effect.Effect<void, DatabaseUnavailable>
    /** A session ends after this many seconds without a report. */
    readonly sessionSeconds: number
  }
>()("@kinora/node/views/ViewReports") {
  static readonly layer = Layer.effect(
    ViewReports,
    Effect.gen(function* () {
      const rows = yield* ViewingRows
      const { count_view_after, view_expiration } = (yield* KinoraConfig).views.videos
      const rules: ViewingRules = {
        sessionSeconds: Duration.toSeconds(view_expiration),
        countAfterSeconds: Duration.toSeconds(count_view_after),
        perAddress
      }
      const turn = yield* Semaphore.make(1)
      let waiting = new Map<string, Array<Waiting>>()

      const put = (report: Waiting, first: boolean) => {
        const key = `${report.videoId} ${report.viewer}`
        const known = waiting.get(key)
        if (known === undefined) waiting.set(key, [report])
        else if (known.length < maxPerViewer) known[first ? "unshift" : "push"](report)
        else if (!first) known[known.length - 1] = { ...report, sought: report.sought || known.at(-1)!.sought }
      }

      /** The nth report of every viewer: one statement takes one report per viewer. */
      const writeRound = Effect.fnUntraced(function* (reports: ReadonlyArray<Waiting>) {
        for (let from = 0; from < reports.length; from += batch) {
          const now = yield* Clock.currentTimeMillis
          const part = reports.slice(from, from + batch).map(({ at, ...report }): ViewReport => {
            return { ...report, age: Math.min(oldest, Math.max(0, now - at)) }
          })
          yield* rows.record(part, rules)
        }
      })

      const write = Effect.gen(function* () {
        if (waiting.size === 0) return
        const taken = [...waiting.values()]
        waiting = new Map()
        yield* Effect.gen(function* () {
          for (let nth = 0; nth < maxPerViewer; nth++) {
            yield* writeRound(taken.flatMap((reports) => reports.slice(nth, nth + 1)))
          }
        }).pipe(
          Effect.onError(() =>
            Effect.sync(() => {
              for (const reports of taken) for (const report of reports.toReversed()) put(report, true)
            })
          )
        )
      })

      const flush = turn.withPermits(1)(write).pipe(Effect.withSpan("ViewReports.flush"))
      yield* Effect.addFinalizer(() =>
        Effect.ignore(flush, { log: "Warn", message: "The last views could not be written" })
      )

      const add = Effect.fnUntraced(function* (report: Omit<Waiting, "at">) {
        if (waiting.size >= maxViewers) yield* flush
        put({ ...report, at: yield* Clock.currentTimeMillis }, false)
      })

      return ViewReports.of({ add, flush, sessionSeconds: rules.sessionSeconds })
    })
  )
}
