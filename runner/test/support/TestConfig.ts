import { Layer } from "effect"
import { RunnerConfig, type RunnerConfigShape } from "../../src/config/RunnerConfig.ts"

/** A configuration of little: one job at a time, quick encodes, 3000 bytes of room. */
export const testConfig = (directory: string, media: Partial<RunnerConfigShape["media"]> = {}) =>
  Layer.succeed(RunnerConfig)({
    ...{ concurrency: 1, job_types: ["vod-hls-transcoding"], poll_seconds: 30, grace_seconds: 0, log_level: "Error" },
    media: { threads: 0, preset: "ultrafast", codec: "h264", hardware: "off", ...media },
    storage: { directory, maxBytes: 3000, reserveBytes: 0 }
  })
