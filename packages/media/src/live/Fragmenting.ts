import { type Cause, Effect, Queue, type Scope, Stream } from "effect"
import { rename, writeFile } from "node:fs/promises"
import type { Readable } from "node:stream"
import { FfmpegFailed, MalformedMp4 } from "../errors/MediaErrors.ts"
import { type ChildStdin, childStdin } from "../process/ChildStdin.ts"
import { countRun } from "../process/RunMetrics.ts"
import { childOptions } from "../process/Sandbox.ts"
import { stderrTail } from "../process/StderrTail.ts"
import { FragmentReader, type ReadFragment, type ReadInit } from "./FragmentReader.ts"
import type { LiveWork } from "./LiveArguments.ts"
import type { LiveOutput } from "./LivePlan.ts"
import { type CutPart, type CutSegment, SegmentCutter } from "./SegmentCutter.ts"
import type { ClosedSegment, InitSection } from "./Segmenting.ts"
import { initName, partName, segmentName } from "./SegmentNames.ts"

/** A part of a segment that is not complete yet. */
export interface LivePart {
  readonly resolution: number
  /** The segment that it belongs to; counts from 0 in each version and run. */
  readonly segment: number
  readonly name: string
  /** The name that the next part of the version has. */
  readonly next: string
  readonly seconds: number
  /** Whether decoding can start in it. */
  readonly independent: boolean
  readonly bytes: Uint8Array
  readonly init: InitSection
}

/** What a live is cut into. */
export type LiveMade = ClosedSegment | LivePart

export const isPart = (made: LiveMade): made is LivePart => "next" in made

type Made = Queue.Queue<LiveMade, FfmpegFailed | Cause.Done>

/** Parts and segments that wait to be taken. Parts hold their bytes: beyond this many ffmpeg waits, and its publisher with it. */
const mostMade = 128

/** ffmpeg at its work, and what comes of it in the order of each version. */
export interface Fragmented {
  readonly child: ChildStdin
  readonly next: Effect.Effect<LiveMade, FfmpegFailed | Cause.Done>
}

/** Writes a file that is there completely or not at all. */
const whole = (path: string, bytes: ReadonlyArray<Uint8Array>): Effect.Effect<void, string> =>
  Effect.tryPromise({
    try: async () => {
      await writeFile(`${path}.partial`, bytes, { mode: 0o600 })
      await rename(`${path}.partial`, path)
    },
    catch: (cause) => `a segment cannot be written: ${String(cause)}`
  })

const parsed = <A>(parse: () => A): Effect.Effect<A, string> =>
  Effect.try({ try: parse, catch: (cause) => (cause instanceof MalformedMp4 ? cause.detail : String(cause)) })

/** Reads the fragments of one version to their end. Fails with what is wrong. */
const version = Effect.fnUntraced(function* (work: LiveWork, output: LiveOutput, written: Readable, made: Made) {
  const { directory, prefix, segmentSeconds } = work
  const { resolution } = output
  const reader = new FragmentReader()
  const cutter = new SegmentCutter(segmentSeconds, work.fragments?.partSeconds !== undefined)
  let init: InitSection | undefined

  const give = Effect.fnUntraced(function* (cut: CutPart | CutSegment) {
    if (init === undefined) return
    if (cut.kind === "part") {
      const { bytes, independent, number, seconds, segment } = cut
      const [name, next] = [number, number + 1].map((nth) => partName(prefix, resolution, nth)) as [string, string]
      yield* Queue.offer(made, { resolution, segment, name, next, seconds, independent, bytes, init })
      return
    }
    const path = `${directory}/${segmentName(prefix, resolution, cut.number, "fmp4")}`
    yield* whole(path, cut.bytes)
    yield* Queue.offer(made, { resolution, number: cut.number, path, seconds: cut.seconds, init })
  })

  const take = Effect.fnUntraced(function* (read: ReadInit | ReadFragment) {
    if (read.kind === "fragment") {
      return yield* Effect.forEach(yield* parsed(() => cutter.add(read)), give, { discard: true })
    }
    const path = `${directory}/${initName(prefix, resolution)}`
    yield* whole(path, [read.bytes])
    init = { path, codecs: read.codecs }
  })

  yield* Stream.fromAsyncIterable<Uint8Array, string>(written, String).pipe(
    Stream.runForEach((bytes) =>
      Effect.flatMap(
        parsed(() => reader.push(bytes)),
        Effect.forEach(take, { discard: true })
      )
    )
  )
  yield* Effect.forEach(cutter.end(), give, { discard: true })
})

/**
 * Starts an ffmpeg that writes the fragments of each version to a descriptor of its own, and cuts them into segments, and into
 * parts if they are wanted. It ends with the scope.
 */
export const startFragmenting = Effect.fnUntraced(function* (
  command: string,
  args: ReadonlyArray<string>,
  work: LiveWork
): Effect.fn.Return<Fragmented, never, Scope.Scope> {
  const outcome = yield* countRun("ffmpeg")
  const errors = stderrTail()
  const made: Made = yield* Queue.bounded<LiveMade, FfmpegFailed | Cause.Done>(mostMade)
  const child = yield* childStdin({
    ...{ command, args, env: childOptions.env, outputs: work.outputs.length },
    onMessage: errors.add,
    onLine: () => {}
  })
  const failed = (reason: FfmpegFailed["reason"], known: { readonly exitCode?: number } = {}) => {
    outcome(reason)
    return Queue.fail(made, new FfmpegFailed({ tool: "ffmpeg", reason, stderr: errors.lines, ...known }))
  }
  const versions = Effect.forEach(
    child.outputs,
    (written, index) => version(work, work.outputs[index]!, written, made),
    { concurrency: "unbounded", discard: true }
  )
  const ended = Effect.gen(function* () {
    yield* versions
    const { code, failure } = yield* child.ended
    if (failure === undefined && code === 0) {
      outcome("ok")
      return yield* Queue.end(made)
    }
    if (failure !== undefined) {
      errors.add(failure.message)
      return yield* failed("spawn")
    }
    return yield* code === null ? failed("signal") : failed("exit", { exitCode: code })
  }).pipe(
    Effect.catch((detail) => {
      errors.add(detail)
      return failed("output")
    })
  )
  yield* Effect.forkScoped(ended)
  return { child, next: Queue.take(made) }
})
