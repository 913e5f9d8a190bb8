import { videoCodecs } from "@kinora/media/ladder/VideoCodec"
import { HardwareEncoders } from "@kinora/media/hardware/HardwareEncoders"
import { hardwareKinds } from "@kinora/media/transcode/VideoEncoder"
import { Clock, Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { ConfigOverrides, hardwareChoices, type Overrides, RunnerConfig } from "../config/RunnerConfig.ts"
import { start } from "../running/Start.ts"
import { askStatus } from "../running/StatusSocket.ts"
import { encoderLabel } from "../work/Encoders.ts"
import { jobLines } from "./Bars.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { configured, tools, working } from "./Layers.ts"
import { Screen, terminalLook } from "./Screen.ts"

const given = (name: string, value: Option.Option<unknown>) =>
  Option.match(value, { onNone: () => ({}), onSome: (it) => ({ [name]: it }) })

const mediaFlags = {
  codec: Flag.Literals("codec", videoCodecs).pipe(Flag.withDescription("Codec of renditions"), Flag.optional),
  device: Flag.String("device").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Device of VAAPI and QSV, such as /dev/dri/renderD129; all are tried unless given"),
    Flag.optional
  )
}

const json = Flag.Boolean("json").pipe(Flag.withDescription("As JSON"), Flag.withDefault(false))

/** Stays on screen while running jobs finish after the stop signal. */
const shown = Effect.gen(function* () {
  yield* Effect.forkScoped((yield* Screen).follow)
  return yield* start
}).pipe(Effect.scoped)

/** Works until it is stopped. */
export const startCommand = Command.make(
  "start",
  {
    ...mediaFlags,
    concurrency: Flag.Int("concurrency").pipe(
      Flag.withDescription("Jobs at a time, all servers together"),
      Flag.optional
    ),
    jobTypes: Flag.String("job-types").pipe(
      Flag.withMetavar("TYPES"),
      Flag.withDescription("Types of jobs to take, with commas between them"),
      Flag.optional
    ),
    threads: Flag.Int("threads").pipe(Flag.withDescription("Threads of one encoder; 0: its own choice"), Flag.optional),
    hardware: Flag.Literals("hardware", hardwareChoices).pipe(
      Flag.withDescription("Hardware encoders that may be used, where a trial says that they work"),
      Flag.optional
    )
  },
  ({ codec, concurrency, device, hardware, jobTypes, threads }) => {
    const overrides: Overrides = {
      ...given("concurrency", concurrency),
      ...given(
        "job_types",
        Option.map(jobTypes, (text) => text.split(",").map((type) => type.trim()))
      ),
      media: {
        ...given("threads", threads),
        ...given("codec", codec),
        ...given("hardware", hardware),
        ...given("device", device)
      }
    }
    return toCliFailure(
      Effect.asVoid(shown).pipe(Effect.provide(working), Effect.provideService(ConfigOverrides, overrides))
    )
  }
).pipe(
  Command.withDescription(
    "Work for the registered servers until SIGTERM or SIGINT: no job is begun then, those that run may end within " +
      "grace_seconds, and what is left is given back. A second signal ends at once. Servers that are registered or left " +
      "meanwhile are seen without a restart. Flags go over config.toml."
  ),
  Command.withShortDescription("Work for the registered servers"),
  Command.withExamples([
    { command: "kinora-runner start", description: "Work as config.toml says" },
    { command: "kinora-runner start --concurrency 1 --threads 4", description: "One job at a time, on four cores" },
    { command: "kinora-runner start --hardware auto", description: "Use a hardware encoder when one works" },
    { command: "kinora-runner start --job-types vod-hls-transcoding", description: "Take jobs of one type alone" }
  ])
)

/** What the running process does. */
export const statusCommand = Command.make("status", { json }, (input) =>
  toCliFailure(
    Effect.gen(function* () {
      const status = yield* askStatus
      if (status === undefined) {
        return yield* new CliFailure({ message: "No runner works in this storage.", exitCode: 3 })
      }
      if (input.json) return yield* Console.log(JSON.stringify(status))
      const now = yield* Clock.currentTimeMillis
      const look = yield* terminalLook
      const servers = status.servers.length === 0 ? "no server" : status.servers.join(", ")
      yield* Console.log(`Process ${status.pid}, version ${status.version}, works for ${servers}`)
      yield* Console.log(`Encodes with ${status.encoder}`)
      for (const line of jobLines(status.jobs, now, look)) yield* Console.log(line)
      if (status.jobs.length === 0) yield* Console.log("No job at the moment.")
    }).pipe(Effect.provide(configured))
  )
).pipe(
  Command.withDescription("Show what the running process works on. Exits with 3 when none runs."),
  Command.withShortDescription("Show what the running process works on"),
  Command.withExamples([
    { command: "kinora-runner status", description: "Servers, encoder, and a bar for each job" },
    { command: "kinora-runner status --json | jq .jobs", description: "The same for programs" }
  ])
)

/** Which hardware encoders work here. */
export const encodersCommand = Command.make("encoders", { ...mediaFlags, json }, (input) =>
  toCliFailure(
    Effect.gen(function* () {
      const { media } = yield* RunnerConfig
      const trials = yield* (yield* HardwareEncoders).search({
        codec: media.codec,
        kinds: hardwareKinds,
        device: media.device
      })
      if (input.json) {
        const results = trials.map(({ encoder, words, works }) => ({ ...encoder, works, words }))
        return yield* Console.log(JSON.stringify(results))
      }
      const width = Math.max(...trials.map(({ encoder }) => encoderLabel(encoder).length))
      for (const { encoder, words, works } of trials) {
        yield* Console.log(`${encoderLabel(encoder).padEnd(width)}  ${works ? "works" : words}`)
      }
      yield* Console.log(`\nAllowed by the configuration: ${media.hardware}. Software encodes what these do not.`)
    }).pipe(
      Effect.provide(tools),
      Effect.provideService(ConfigOverrides, {
        media: { ...given("codec", input.codec), ...given("device", input.device) }
      })
    )
  )
).pipe(
  Command.withDescription(
    "Try every hardware encoder that ffmpeg knows, with two seconds of video each, and show which work here and why others " +
      "do not. Nothing is changed: what start uses is [media] hardware in config.toml, or --hardware."
  ),
  Command.withShortDescription("Show which hardware encoders work here"),
  Command.withExamples([
    { command: "kinora-runner encoders", description: "Try all of them" },
    { command: "kinora-runner encoders --device /dev/dri/renderD129", description: "Try one device alone" }
  ])
)
