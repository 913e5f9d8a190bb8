import { Context, type Duration, Effect, Layer, type Redacted, Result, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { YtDlpFailed, type YtDlpMissing } from "./YtDlpErrors.ts"
import { YtDlpProgram } from "./YtDlpProgram.ts"

export interface YtDlpRun {
  readonly args: ReadonlyArray<string>
  readonly proxy: Redacted.Redacted<string>
  /** Port of the proxy. */
  readonly port: number
  /** Its working folder, and the only place it may write to. */
  readonly folder: string
  /** Bytes per file. */
  readonly fileSize: number
  readonly timeout: Duration.Duration
  /** Other files it reads. */
  readonly reads: ReadonlyArray<string>
  /** Called for each line of its output, at most `maxLine` characters long. */
  readonly onLine: (line: string) => Effect.Effect<void, YtDlpFailed>
}

/** How it ended, with the last lines of its messages (at most 40 of 1,000 characters). */
export interface YtDlpEnd {
  readonly succeeded: boolean
  readonly words: ReadonlyArray<string>
}

/** It is ended after this many bytes of output. */
const maxOutput = 16 * 1024 ** 2
const maxLine = 1024 ** 2
const keptLines = 40
const keptCharacters = 1000

/** Splits a stream of chunks into lines, holding at most `maxLine` of one. */
const lineReader = () => {
  let rest = ""
  let all = 0
  return {
    push: (piece: string): ReadonlyArray<string> | undefined => {
      all += piece.length
      const lines = (rest + piece).split("\n")
      rest = lines.pop() ?? ""
      return all > maxOutput || rest.length > maxLine ? undefined : lines
    },
    last: () => rest
  }
}

/** Runs yt-dlp: none of our environment, no input, a process group of its own that is killed as a whole. */
export class YtDlpProcess extends Context.Service<
  YtDlpProcess,
  { run(run: YtDlpRun): Effect.Effect<YtDlpEnd, YtDlpFailed | YtDlpMissing> }
>()("@kinora/media/ytdlp/YtDlpProcess") {
  static readonly layer = Layer.effect(
    YtDlpProcess,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const program = yield* YtDlpProgram
      const settings = yield* MediaSettings

      const run = Effect.fnUntraced(function* (run: YtDlpRun) {
        const { command } = yield* program.find
        const { certificates } = settings
        const confines = { folder: run.folder, port: run.port, fileSize: run.fileSize, memory: settings.encodeMemory }
        const [first, words] = command(
          { ...confines, cpuSeconds: 4 * 3600 },
          run.args,
          certificates === undefined ? run.reads : [...run.reads, certificates]
        )
        // The error contains file names and arguments: it is only logged.
        const failed = new YtDlpFailed({ reason: "failed", message: "yt-dlp could not be run" })
        const logged = (cause: unknown) => Effect.andThen(Effect.logWarning("yt-dlp could not be run", cause), failed)
        const handle = yield* spawner
          .spawn(
            ChildProcess.make(first, words, {
              env: {
                PATH: "/usr/bin:/bin",
                LC_ALL: "C.UTF-8",
                HOME: run.folder,
                TMPDIR: run.folder,
                YTDLP_NO_PLUGINS: "1",
                http_proxy: run.proxy,
                https_proxy: run.proxy,
                ...(certificates === undefined ? {} : { SSL_CERT_FILE: certificates })
              },
              cwd: run.folder,
              extendEnv: false,
              stdin: "ignore",
              detached: true,
              killSignal: "SIGTERM",
              forceKillAfter: "2 seconds"
            })
          )
          .pipe(Effect.catch(logged))
        const said: Array<string> = []
        const keep = (line: string) => {
          if (line.trim() === "") return
          said.push(line.slice(0, keptCharacters))
          if (said.length > keptLines) said.shift()
        }
        const tooMuch = new YtDlpFailed({
          reason: "output",
          message: "The page describes its video at too great a length"
        })
        const read = <E extends { readonly message: string }>(
          stream: Stream.Stream<Uint8Array, E>,
          take: (line: string) => Effect.Effect<void, YtDlpFailed>
        ) => {
          const lines = lineReader()
          return stream.pipe(
            Stream.catch((cause) => Stream.fromEffect(logged(cause))),
            Stream.decodeText,
            Stream.runForEach((piece) => {
              const whole = lines.push(piece)
              return whole === undefined ? tooMuch : Effect.forEach(whole, take, { discard: true })
            }),
            Effect.andThen(Effect.suspend(() => (lines.last() === "" ? Effect.void : take(lines.last()))))
          )
        }
        const ended = Effect.all(
          [
            read(handle.stdout, (line) => {
              keep(line)
              return run.onLine(line)
            }),
            read(handle.stderr, (line) => Effect.sync(() => keep(line)))
          ],
          { concurrency: 2, discard: true }
        ).pipe(Effect.andThen(Effect.result(handle.exitCode)))
        const outcome = yield* Effect.timeoutOrElse(ended, {
          duration: run.timeout,
          orElse: () => new YtDlpFailed({ reason: "timeout", message: "The address took too long" })
        })
        return { succeeded: Result.isSuccess(outcome) && outcome.success === 0, words: said }
      }, Effect.scoped)

      return YtDlpProcess.of({ run })
    })
  )
}
