import { type Cause, Effect, Queue, type Scope } from "effect"
import { FfmpegFailed } from "../errors/MediaErrors.ts"
import { type ChildStdin, childStdin } from "../process/ChildStdin.ts"
import { countRun } from "../process/RunMetrics.ts"
import { childOptions } from "../process/Sandbox.ts"
import { stderrTail } from "../process/StderrTail.ts"
import { segmentPlace } from "./SegmentNames.ts"

/** What decoding fragments of a version in one run begins with. */
export interface InitSection {
  /** Absolute path of a complete file. */
  readonly path: string
  /** RFC 6381 names of what is in it. */
  readonly codecs: ReadonlyArray<string>
}

/** A segment that is complete on disk. */
export interface ClosedSegment {
  /** The version that it belongs to; 0 is sound alone. */
  readonly resolution: number
  /** Counts from 0 in each version and run. */
  readonly number: number
  /** Absolute path. */
  readonly path: string
  readonly seconds: number
  /** Absent: a transport stream needs none. */
  readonly init?: InitSection
}

/** ffmpeg at its work. */
export interface Segmenting {
  readonly child: ChildStdin
  /** The next segment, in the order in which they close. Fails with `Done` after the last one. */
  readonly next: Effect.Effect<ClosedSegment, FfmpegFailed | Cause.Done>
}

/** Reads a line of ffmpeg's list: name, start, end. */
const readLine = (directory: string, line: string): ClosedSegment | undefined => {
  const [name = "", start = "", end = ""] = line.split(",")
  const place = segmentPlace(name)
  const seconds = Number(end) - Number(start)
  return place === undefined || !(seconds > 0) ? undefined : { ...place, path: `${directory}/${name}`, seconds }
}

/** Segments that may wait to be taken; ffmpeg stands still while there are more, and so does what feeds it. */
const mostWaiting = 64

/** Starts an ffmpeg that cuts segments into a folder and lists them on its standard output. It ends with the scope. */
export const startSegmenting = Effect.fnUntraced(function* (
  command: string,
  args: ReadonlyArray<string>,
  directory: string
): Effect.fn.Return<Segmenting, never, Scope.Scope> {
  const outcome = yield* countRun("ffmpeg")
  const errors = stderrTail()
  const queue = yield* Queue.unbounded<ClosedSegment, FfmpegFailed | Cause.Done>()
  let waiting = 0
  let isOver = false
  let goOn = (): void => undefined
  const child = yield* childStdin({
    command,
    args,
    env: childOptions.env,
    onMessage: errors.add,
    onLine: (line) => {
      const segment = readLine(directory, line)
      if (segment === undefined) return undefined
      Queue.offerUnsafe(queue, segment)
      waiting++
      return waiting < mostWaiting || isOver ? undefined : new Promise((resolve) => (goOn = resolve))
    }
  })
  // Nobody takes what is left: its end must not wait for that.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
      goOn()
    })
  )
  const ended = Effect.gen(function* () {
    const { code, failure } = yield* child.ended
    if (failure === undefined && code === 0) {
      outcome("ok")
      return yield* Queue.end(queue)
    }
    if (failure !== undefined) errors.add(failure.message)
    const reason = failure === undefined ? (code === null ? "signal" : "exit") : "spawn"
    outcome(reason)
    const known = code === null ? {} : { exitCode: code }
    return yield* Queue.fail(queue, new FfmpegFailed({ tool: "ffmpeg", reason, stderr: errors.lines, ...known }))
  })
  yield* Effect.forkScoped(ended)
  const next = Effect.tap(Queue.take(queue), () =>
    Effect.sync(() => {
      waiting--
      goOn()
    })
  )
  return { child, next }
})
