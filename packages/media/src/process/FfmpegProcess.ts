import { Context, type Duration, Effect, Layer, Result, type Scope, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { FfmpegFailed, type ToolMissing } from "../errors/MediaErrors.ts"
import { Tools } from "../tools/Tools.ts"
import { childBytes } from "./ChildBytes.ts"
import { initialReading, type Progress, readProgressLine } from "./FfmpegProgress.ts"
import { countRun } from "./RunMetrics.ts"
import { childOptions, type ChildLimits, Sandbox } from "./Sandbox.ts"
import { stderrTail } from "./StderrTail.ts"

/** One run of a tool. `args` are complete; `timeout` is wall-clock time. */
export interface Invocation {
  readonly tool: "ffmpeg" | "ffprobe"
  readonly args: ReadonlyArray<string>
  readonly timeout: Duration.Duration
  readonly limits: ChildLimits
}

/** Output of a running tool that is read on demand. */
export interface ToolOutput {
  /** The next bytes, valid until the next call. Undefined after the tool has succeeded. */
  readonly next: Effect.Effect<Uint8Array | undefined, FfmpegFailed>
}

/** Messages of the sandbox wrappers. The tools never begin a line like this. */
const fromWrapper = /^(?:unshare|setpriv|prlimit|nice): /

/**
 * Runs ffmpeg and ffprobe in the sandbox. On interruption, timeout or failure the child and all it started are
 * killed.
 */
export class FfmpegProcess extends Context.Service<
  FfmpegProcess,
  {
    /**
     * Runs ffmpeg (arguments of `ffmpegArguments`) and reports progress; the stream ends when it has succeeded. `total`
     * is the media's length in seconds.
     */
    progress(invocation: Invocation, total: number): Stream.Stream<Progress, FfmpegFailed | ToolMissing>
    /** Runs a tool whose stdout is read chunk by chunk, on demand. The tool is killed when the scope closes. */
    bytes(invocation: Invocation): Effect.Effect<ToolOutput, FfmpegFailed | ToolMissing, Scope.Scope>
    /** Runs a tool and returns its stdout. More than `maxBytes` fails with reason `output`. */
    output(invocation: Invocation, maxBytes: number): Effect.Effect<string, FfmpegFailed | ToolMissing>
  }
>()("@kinora/media/process/FfmpegProcess") {
  static readonly layer = Layer.effect(
    FfmpegProcess,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const tools = yield* Tools
      const sandbox = yield* Sandbox

      const start = Effect.fnUntraced(function* (invocation: Invocation) {
        const { args, limits, tool } = invocation
        const program = yield* tools.path(tool)
        const [command, words] = sandbox.wrap(program, args, limits)
        const errors = stderrTail()
        const outcome = yield* countRun(tool)
        const fail = (reason: FfmpegFailed["reason"], exitCode?: number, signal?: string) => {
          outcome(reason)
          return new FfmpegFailed({
            tool,
            reason,
            stderr: errors.lines,
            ...(exitCode === undefined ? {} : { exitCode }),
            ...(signal === undefined ? {} : { signal })
          })
        }
        const broken = (cause: { readonly message: string }) => {
          outcome("spawn")
          return new FfmpegFailed({ tool, reason: "spawn", stderr: [...errors.lines, cause.message] })
        }

        const handle = yield* spawner
          .spawn(ChildProcess.make(command, words, childOptions))
          .pipe(Effect.mapError(broken))
        const stderr = handle.stderr.pipe(
          Stream.decodeText,
          Stream.splitLines,
          Stream.runForEach((line) => Effect.sync(() => errors.add(line))),
          Effect.mapError(broken)
        )
        const neverStarted = () => errors.lines.some((line) => fromWrapper.test(line))
        /** Waits for the child to end. Its exit code decides. */
        const ended = Effect.gen(function* () {
          const exit = yield* Effect.result(handle.exitCode)
          if (Result.isFailure(exit)) {
            return yield* fail("signal", undefined, /\bSIG[A-Z0-9]+/.exec(exit.failure.message)?.[0])
          }
          if (exit.success !== 0) return yield* fail(neverStarted() ? "spawn" : "exit", exit.success)
          outcome("ok")
        })
        const timedOut = Effect.sleep(invocation.timeout).pipe(Effect.andThen(Effect.suspend(() => fail("timeout"))))
        return { handle, stderr, ended, timedOut, fail, broken }
      })

      const progress = (invocation: Invocation, total: number) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const child = yield* start(invocation)
            const reports = child.handle.stdout.pipe(
              Stream.mapError(child.broken),
              Stream.decodeText,
              Stream.splitLines,
              Stream.mapAccum(() => initialReading, readProgressLine(total))
            )
            return Stream.merge(reports, Stream.fromEffectDrain(child.stderr)).pipe(
              Stream.concat(Stream.fromEffectDrain(child.ended)),
              Stream.interruptWhen(child.timedOut)
            )
          })
        )

      const bytes = Effect.fnUntraced(function* (invocation: Invocation) {
        const { args, limits, timeout, tool } = invocation
        const [command, words] = sandbox.wrap(yield* tools.path(tool), args, limits)
        const errors = stderrTail()
        const outcome = yield* countRun(tool)
        const fail = (reason: FfmpegFailed["reason"], exitCode?: number) => {
          outcome(reason)
          return new FfmpegFailed({
            tool,
            reason,
            stderr: errors.lines,
            ...(exitCode === undefined ? {} : { exitCode })
          })
        }
        const work = { command, args: words, env: childOptions.env, timeout, onMessage: errors.add }
        const child = yield* Effect.mapError(childBytes(work), (error) => {
          errors.add(String(error.cause))
          return fail("spawn")
        })
        const succeeded = Effect.gen(function* () {
          const { code, failure } = yield* child.ended
          if (failure !== undefined) errors.add(failure.message)
          if (failure !== undefined || errors.lines.some((line) => fromWrapper.test(line))) return yield* fail("spawn")
          if (code === null) return yield* fail("signal")
          if (code !== 0) return yield* fail("exit", code)
          outcome("ok")
        })
        const next = Effect.flatMap(child.next, (piece) =>
          piece === undefined ? Effect.as(succeeded, piece) : Effect.succeed(piece)
        )
        return { next }
      })

      const output = Effect.fn("FfmpegProcess.output")(function* (invocation: Invocation, maxBytes: number) {
        const child = yield* start(invocation)
        const chunks: Array<Uint8Array> = []
        let size = 0
        const stdout = child.handle.stdout.pipe(
          Stream.mapError(child.broken),
          Stream.runForEach((chunk) => {
            size += chunk.length
            if (size > maxBytes) return child.fail("output")
            chunks.push(chunk)
            return Effect.void
          })
        )
        yield* Effect.raceFirst(
          Effect.all([stdout, child.stderr], { concurrency: 2, discard: true }).pipe(Effect.andThen(child.ended)),
          child.timedOut
        )
        return new TextDecoder().decode(Buffer.concat(chunks))
      }, Effect.scoped)

      return FfmpegProcess.of({ progress, bytes, output })
    })
  )
}
