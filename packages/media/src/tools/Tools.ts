import { Config, Context, Effect, FileSystem, Layer, Path, Result, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ToolMissing } from "../errors/MediaErrors.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { packageCandidates } from "./NpmTools.ts"
import type { ToolName } from "./ToolName.ts"
import { Programs } from "./Programs.ts"
import {
  type Found,
  isTooOld,
  readFeatures,
  tooOld,
  readVersion,
  type ToolFeatures,
  toolWarnings
} from "./ToolFeatures.ts"

const environment = { PATH: "/usr/bin:/bin", LC_ALL: "C" }

/** The tools of this machine. `warnings` are messages for `kinora doctor`, each with advice. */
export interface ToolsReport {
  readonly ffmpeg: Found | undefined
  readonly ffprobe: Found | undefined
  readonly features: ToolFeatures
  readonly warnings: ReadonlyArray<string>
}

/**
 * Paths and features of ffmpeg and ffprobe. Search order: settings, `KINORA_FFMPEG_PATH` / `KINORA_FFPROBE_PATH`, PATH,
 * npm packages. Searched once, when the layer is built. A missing tool fails on use, not on start.
 */
export class Tools extends Context.Service<
  Tools,
  {
    path(tool: ToolName): Effect.Effect<string, ToolMissing>
    readonly report: ToolsReport
  }
>()("@kinora/media/tools/Tools") {
  static readonly layer = Layer.effect(
    Tools,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const programs = yield* Programs
      const settings = yield* MediaSettings

      const run = Effect.fnUntraced(function* (file: string, args: ReadonlyArray<string>) {
        const handle = yield* spawner.spawn(
          ChildProcess.make(file, args, { env: environment, extendEnv: false, stdin: "ignore" })
        )
        const [out] = yield* Effect.all(
          [Stream.mkString(Stream.decodeText(handle.stdout)), Stream.runDrain(handle.stderr)],
          { concurrency: 2 }
        )
        yield* handle.exitCode
        return out
      }, Effect.scoped)

      /** npm does not always keep the executable bit: set it, or else copy the file to a folder where we may. */
      const executable = Effect.fnUntraced(function* (file: string) {
        const info = yield* fs.stat(file)
        if ((info.mode & 0o111) !== 0) return file
        const changed = yield* Effect.result(fs.chmod(file, 0o755))
        if (Result.isSuccess(changed)) return file
        if (settings.cacheDirectory === undefined) return yield* changed.failure
        const copy = path.join(settings.cacheDirectory, path.basename(file))
        yield* fs.makeDirectory(settings.cacheDirectory, { recursive: true })
        yield* fs.copyFile(file, copy)
        yield* fs.chmod(copy, 0o755)
        return copy
      })

      const locate = Effect.fnUntraced(function* (tool: ToolName, explicit: string | undefined) {
        const named = yield* Config.String(`KINORA_${tool.toUpperCase()}_PATH`).pipe(Config.withDefault(""))
        const chosen = explicit ?? (named === "" ? undefined : named)
        const found = chosen ?? (yield* programs.find(tool))
        const candidates = found === undefined ? yield* packageCandidates(tool) : [found]
        const tried: Array<string> = []
        for (const candidate of candidates) {
          const outcome = yield* executable(candidate).pipe(
            Effect.flatMap((file) => Effect.map(run(file, ["-hide_banner", "-version"]), (out) => ({ file, out }))),
            Effect.result
          )
          if (Result.isFailure(outcome)) {
            tried.push(`${candidate} (${outcome.failure.message})`)
            continue
          }
          const version = readVersion(outcome.success.out)
          if (version !== undefined) return { path: outcome.success.file, ...version } satisfies Found
          tried.push(`${candidate} (is not ${tool})`)
        }
        const where = tried.length > 0 ? tried.join("; ") : "PATH and the npm packages"
        return new ToolMissing({ tool, detail: `${tool} was not found. Looked at: ${where}` })
      })

      const [ffmpeg, ffprobe] = yield* Effect.all(
        [locate("ffmpeg", settings.ffmpegPath), locate("ffprobe", settings.ffprobePath)],
        { concurrency: 2 }
      )
      const features = yield* ffmpeg instanceof ToolMissing
        ? Effect.succeed(readFeatures("", ""))
        : Effect.all(
            [run(ffmpeg.path, ["-hide_banner", "-encoders"]), run(ffmpeg.path, ["-hide_banner", "-filters"])],
            {
              concurrency: 2
            }
          ).pipe(
            Effect.map(([encoders, filters]) => readFeatures(encoders, filters)),
            Effect.orElseSucceed(() => readFeatures("", ""))
          )

      const report: ToolsReport = {
        ffmpeg: ffmpeg instanceof ToolMissing ? undefined : ffmpeg,
        ffprobe: ffprobe instanceof ToolMissing ? undefined : ffprobe,
        features,
        warnings: [
          ...(ffmpeg instanceof ToolMissing ? [ffmpeg.detail] : toolWarnings(ffmpeg, features)),
          ...(ffprobe instanceof ToolMissing ? [ffprobe.detail] : [])
        ]
      }

      const find = Effect.fnUntraced(function* (tool: ToolName) {
        const found = tool === "ffmpeg" ? ffmpeg : ffprobe
        if (found instanceof ToolMissing) return yield* found
        if (!isTooOld(found) || settings.allowOldTools) return found.path
        return yield* new ToolMissing({ tool, detail: tooOld(tool, found) })
      })

      return Tools.of({ path: find, report })
    })
  )
}
