import { Clock, Effect, Metric, type Scope } from "effect"
import type { FfmpegFailed } from "../errors/MediaErrors.ts"

const runs = Metric.counter("kinora_ffmpeg_runs_total", {
  description: "Runs of ffmpeg and ffprobe that ended, by how they did",
  incremental: true
})
const seconds = Metric.counter("kinora_ffmpeg_seconds_total", {
  description: "Time that runs of ffmpeg and ffprobe took",
  incremental: true
})
const running = Metric.gauge("kinora_ffmpeg_running", { description: "Runs of ffmpeg and ffprobe that go on" })

/** `interrupted`: whoever wanted the result did not wait for it. */
export type RunOutcome = FfmpegFailed["reason"] | "ok" | "interrupted"

/** Counts one run of a tool, from here to the end of the scope. What is returned takes note of its outcome. */
export const countRun = Effect.fnUntraced(function* (
  tool: "ffmpeg" | "ffprobe"
): Effect.fn.Return<(outcome: RunOutcome) => void, never, Scope.Scope> {
  const began = yield* Clock.currentTimeMillis
  let outcome: RunOutcome = "interrupted"
  yield* Effect.acquireRelease(Metric.modify(Metric.withAttributes(running, { tool }), 1), () =>
    Effect.gen(function* () {
      yield* Metric.modify(Metric.withAttributes(running, { tool }), -1)
      yield* Metric.update(Metric.withAttributes(runs, { tool, outcome }), 1)
      yield* Metric.update(Metric.withAttributes(seconds, { tool }), ((yield* Clock.currentTimeMillis) - began) / 1000)
    })
  )
  return (how) => void (outcome = how)
})
