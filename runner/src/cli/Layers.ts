import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Media } from "@kinora/media/Media"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Effect, Layer, Logger, References } from "effect"
import { isatty } from "node:tty"
import { loadConfig, RunnerConfig } from "../config/RunnerConfig.ts"
import { Registrations } from "../config/Registrations.ts"
import { Dispatcher } from "../running/Dispatcher.ts"
import { JobRun } from "../running/JobRun.ts"
import { RunningJobs } from "../running/RunningJobs.ts"
import { RunnerServer } from "../server/RunnerServer.ts"
import { JobWork } from "../work/JobWork.ts"
import { WorkFolders } from "../work/WorkFolders.ts"

/** The configuration, and what only reads it. */
export const configured = Registrations.layer.pipe(Layer.provideMerge(Layer.effect(RunnerConfig, loadConfig)))

/** Servers and their tokens. */
export const servers = Layer.mergeAll(configured, RunnerServer.layer.pipe(Layer.provide(NodeHttpClient.layerNodeHttp)))

const settings = Layer.effect(
  MediaSettings,
  RunnerConfig.use(({ media, storage }) =>
    Effect.succeed({
      ...defaultMediaSettings,
      ffmpegPath: media.ffmpeg_path,
      ffprobePath: media.ffprobe_path,
      cacheDirectory: `${storage.directory}/bin`,
      threads: media.threads,
      preset: media.preset,
      fileSize: storage.maxBytes
    })
  )
)

/** On a terminal for people, else a line of JSON each. */
const logging = Layer.unwrap(
  RunnerConfig.use((config) =>
    Effect.succeed(
      Layer.mergeAll(
        Logger.layer([isatty(1) ? Logger.consolePretty({ mode: "tty", colors: true }) : Logger.consoleJson]),
        Layer.succeed(References.MinimumLogLevel)(config.log_level)
      )
    )
  )
)

const media = Media.layer.pipe(Layer.provide(settings))

/** Everything that `start` stands on. */
export const working = Dispatcher.layer.pipe(
  Layer.provideMerge(JobRun.layer),
  Layer.provideMerge(JobWork.layer),
  Layer.provideMerge(Layer.mergeAll(media, WorkFolders.layer, RunningJobs.layer)),
  Layer.provideMerge(servers.pipe(Layer.provideMerge(logging), Layer.provideMerge(configured)))
)
