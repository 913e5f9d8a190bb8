import { Context, Effect, Exit, FileSystem, Layer, Path, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Programs } from "../tools/Programs.ts"
import {
  confined,
  type ConfinementPowers,
  type Confines,
  readPowers,
  systemPaths,
  powersArguments
} from "./Confinement.ts"
import { YtDlpMissing } from "./YtDlpErrors.ts"

/** The oldest version whose options and messages are known. */
const oldest = "2023.03.04"

/** The program as it was found and tested. */
export interface FoundYtDlp {
  readonly path: string
  readonly version: string
  readonly powers: ConfinementPowers
  /** Command that runs it with further arguments: confined if there is a Python for that. */
  readonly command: (
    confines: Omit<Confines, "read">,
    args: ReadonlyArray<string>,
    alsoRead: ReadonlyArray<string>
  ) => readonly [string, ReadonlyArray<string>]
}

const gibibyte = 1024 ** 3

/**
 * Finds yt-dlp: the configured path (or name), else `yt-dlp` in PATH. It is never downloaded. Searched on demand and
 * again after ten minutes, because it may be installed or replaced at any time. If it was not found it is searched
 * again sooner, since a busy machine may just have been too slow to answer.
 */
export class YtDlpProgram extends Context.Service<
  YtDlpProgram,
  { readonly find: Effect.Effect<FoundYtDlp, YtDlpMissing> }
>()("@kinora/media/ytdlp/YtDlpProgram") {
  static readonly layer = Layer.effect(
    YtDlpProgram,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const programs = yield* Programs
      const settings = yield* MediaSettings

      const run = Effect.fnUntraced(
        function* (command: string, args: ReadonlyArray<string>, home: string) {
          const handle = yield* spawner.spawn(
            ChildProcess.make(command, args, {
              env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", HOME: home, YTDLP_NO_PLUGINS: "1" },
              cwd: home,
              extendEnv: false,
              stdin: "ignore",
              detached: true,
              killSignal: "SIGKILL"
            })
          )
          const [out] = yield* Effect.all(
            [
              handle.stdout.pipe(Stream.decodeText, Stream.take(64), Stream.mkString),
              Stream.runDrain(handle.stderr),
              handle.exitCode
            ],
            { concurrency: 3 }
          )
          return out
        },
        Effect.scoped,
        Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.succeed("") }),
        Effect.orElseSucceed(() => "")
      )

      const executable = (file: string) =>
        fs.stat(file).pipe(
          Effect.map((info) => info.type === "File" && (info.mode & 0o111) !== 0),
          Effect.orElseSucceed(() => false)
        )

      const pythonOf = Effect.gen(function* () {
        const named = settings.pythonPath
        if (named !== undefined && path.isAbsolute(named) && (yield* executable(named))) return named
        return yield* programs.find("python3")
      })

      /** The folder of a file, or of the whole Python environment if it is in one (venv, pipx). */
      const homeOf = Effect.fnUntraced(function* (file: string) {
        const folder = path.dirname(file)
        const environment = path.dirname(folder)
        const isEnvironment = yield* Effect.orElseSucceed(fs.exists(path.join(environment, "pyvenv.cfg")), () => false)
        return isEnvironment ? environment : folder
      })

      const locate = Effect.gen(function* () {
        const named = settings.ytDlpPath ?? "yt-dlp"
        const file = path.isAbsolute(named) ? named : yield* programs.find(named)
        const here = file !== undefined && (yield* Effect.orElseSucceed(fs.exists(file), () => false))
        if (file === undefined || !here) {
          return yield* new YtDlpMissing({
            detail: `${named} was not found${path.isAbsolute(named) ? "" : " in PATH"}: install yt-dlp or set KINORA_YTDLP_PATH.`
          })
        }
        return file
      })

      const find = Effect.gen(function* () {
        const file = yield* locate
        const python = yield* pythonOf
        const program = (yield* executable(file)) || python === undefined ? [file] : [python, "-I", file]
        const real = yield* Effect.orElseSucceed(fs.realPath(file), () => file)
        const homes = yield* Effect.forEach([real, ...(python === undefined ? [] : [python])], homeOf)
        const command: FoundYtDlp["command"] = (confines, args, alsoRead) => {
          const words = [...program, ...args]
          const [first = file, ...rest] = words
          if (python === undefined) return [first, rest]
          return [python, confined({ ...confines, read: [...systemPaths, ...homes, file, ...alsoRead] }, words)]
        }
        const folder = yield* Effect.orDie(fs.makeTempDirectoryScoped({ prefix: "kinora-ytdlp-" }))
        const limits = { folder, port: undefined, memory: 2 * gibibyte, fileSize: 1024 ** 2, cpuSeconds: 30 }
        const powers =
          python === undefined
            ? { files: false, network: false, alone: false }
            : readPowers(yield* run(python, powersArguments({ ...limits, read: systemPaths }), folder))
        const [first, rest] = command(limits, ["--version"], [])
        const version = /^\d{4}\.\d\d\.\d\d(?:\.\d+)?$/m.exec(yield* run(first, rest, folder))?.[0]
        if (version === undefined) {
          return yield* new YtDlpMissing({ detail: `${file} could not be run, or is not yt-dlp.` })
        }
        if (version.slice(0, oldest.length) < oldest) {
          return yield* new YtDlpMissing({ detail: `yt-dlp ${version} is too old: ${oldest} or later is needed.` })
        }
        return { path: file, version, powers, command } satisfies FoundYtDlp
      }).pipe(Effect.scoped)

      return YtDlpProgram.of({
        find: yield* Effect.cachedWithTTL(find, (exit) => (Exit.isSuccess(exit) ? "10 minutes" : "15 seconds"))
      })
    })
  )
}
