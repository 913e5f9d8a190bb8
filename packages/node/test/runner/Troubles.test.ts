import { assert, it } from "@effect/vitest"
import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { FfmpegFailed } from "@kinora/media/errors/MediaErrors"
import { PartEncoder } from "@kinora/media/parts/PartEncoder"
import { RunnerWork } from "@kinora/media/work/RunnerWork"
import { RunnerCalls } from "@kinora/storage/runner/RunnerCalls"
import { RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { ProcessingSettings } from "../../src/video/process/ProcessingSettings.ts"
import { SourceOf } from "../../src/video/process/SourceOf.ts"
import { LocalWork } from "../../src/runner/local/LocalWork.ts"
import { PartFiles } from "../../src/runner/parts/PartFiles.ts"
import { RunnerAccess } from "../../src/runner/registration/RunnerAccess.ts"

it.effect("tells a runner of the job it was given, though nobody can note that it was heard of", () =>
  Effect.gen(function* () {
    const runner = { id: 1, name: "one" }
    const calls = { accept: () => Effect.succeedSome({ runner, found: Option.some({ uuid: "its job" }) }) }
    const rows = { recordContact: () => Effect.fail(new DatabaseUnavailable({ retryAfterSeconds: 5 })) }
    const config = { remote_runners: { stalled_jobs: { live: "30 seconds", vod: "2 minutes" } } }
    const access = RunnerAccess.layer.pipe(
      Layer.provide([
        Layer.succeed(RunnerCalls, calls as unknown as RunnerCalls["Service"]),
        Layer.succeed(RunnerRows, rows as unknown as RunnerRows["Service"]),
        Layer.succeed(KinoraConfig, config as unknown as KinoraConfig["Service"])
      ])
    )
    const request = { source: {}, remoteAddress: Option.none() } as unknown as HttpServerRequest
    const job = yield* Effect.flatMap(RunnerAccess, ({ accept }) =>
      accept("its job", "ptrt-1", new Uint8Array([1]), request)
    ).pipe(Effect.provide(access))
    assert.strictEqual(Option.getOrThrow(job).uuid, "its job")
  })
)

it.effect("waits for room on a full disk, and does not blame what the node lacks", () =>
  Effect.gen(function* () {
    const end = (words: string) => {
      const failed = new FfmpegFailed({ tool: "ffmpeg", reason: "exit", exitCode: 1, stderr: [words] })
      const work = LocalWork.layer.pipe(
        Layer.provide([
          Layer.succeed(PartEncoder, { encode: () => Effect.fail(failed) }),
          Layer.succeed(PartFiles, { cutOf: () => Option.some("/cut.nut") } as unknown as PartFiles["Service"]),
          Layer.succeed(ProcessingSettings, { codecs: {} } as unknown as ProcessingSettings["Service"]),
          Layer.succeed(ProcessingVideos, {} as ProcessingVideos["Service"]),
          Layer.succeed(RunnerWork, {} as RunnerWork["Service"]),
          Layer.succeed(SourceOf, {} as SourceOf["Service"])
        ])
      )
      const output = { kind: "audio", codec: "flac", channels: 2, sampleRate: 48_000, duration: 3 }
      const job = {
        id: 1,
        uuid: "its job",
        type: vodPartJobType,
        videoId: 1,
        payload: { input: { videoFileUrl: "https://kinora.example/cut" }, output },
        privatePayload: {},
        accepted: 1
      } as const
      return Effect.flatMap(LocalWork, ({ make }) => Effect.flip(make(job, "/work", () => Effect.void))).pipe(
        Effect.map(({ _tag }) => _tag),
        Effect.provide(work)
      )
    }
    assert.strictEqual(yield* end("av_interleaved_write_frame(): No space left on device"), "InsufficientStorage")
    assert.strictEqual(yield* end("No such filter: 'zscale'"), "LocalWorkPrevented")
    assert.strictEqual(yield* end("Invalid data found when processing input"), "LocalWorkFailed")
  })
)
