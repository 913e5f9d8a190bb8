import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Media } from "@kinora/media/Media"
import { HardwareEncoders } from "@kinora/media/hardware/HardwareEncoders"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Effect, Layer, Logger, References } from "effect"
import { loadConfig, RunnerConfig } from "../config/RunnerConfig.ts"
import { Registrations } from "../config/Registrations.ts"
import { Dispatcher } from "../running/Dispatcher.ts"
import { JobRun } from "../running/JobRun.ts"
import { RunningJobs } from "../running/RunningJobs.ts"
import { CustomUpload } from "../server/CustomUpload.ts"
import { RunnerServer } from "../server/RunnerServer.ts"
import { Encoders } from "../work/Encoders.ts"
import { LiveJobWork } from "../work/LiveJobWork.ts"
import { JobWork } from "../work/JobWork.ts"
import { WorkFolders } from "../work/WorkFolders.ts"
import { Screen } from "./Screen.ts"

/** The configuration, and services that only read it. */
export const configured = Registrations.layer.pipe(Layer.provideMerge(Layer.effect(RunnerConfig, loadConfig)))

/** Servers and their tokens. */
export const servers = Layer.mergeAll(configured, RunnerServer.layer, CustomUpload.layer).pipe(
  Layer.provide(NodeHttpClient.layerNodeHttp)
)

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

/** Readable lines on a terminal, else JSON lines. */
const logging = Layer.unwrap(
  Effect.gen(function* () {
    const { log_level } = yield* RunnerConfig
    const { logger } = yield* Screen
    return Layer.mergeAll(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel)(log_level))
  })
).pipe(Layer.provideMerge(Screen.layer))

const media = HardwareEncoders.layer.pipe(Layer.provideMerge(Media.layer), Layer.provide(settings))

/**
 * The encoding tools, without a server. Their messages go to standard error: standard output belongs to the command.
 */
export const tools = media.pipe(
  Layer.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
  Layer.provideMerge(configured)
)

/** Everything that `start` needs. */
export const working = Dispatcher.layer.pipe(
  Layer.provideMerge(JobRun.layer),
  Layer.provideMerge(JobWork.layer.pipe(Layer.provide(LiveJobWork.layer))),
  Layer.provideMerge(Encoders.layer),
  Layer.provideMerge(Layer.mergeAll(media, WorkFolders.layer, RunningJobs.layer)),
  Layer.provideMerge(servers.pipe(Layer.provideMerge(logging), Layer.provideMerge(configured)))
)
