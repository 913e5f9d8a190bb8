import { join } from "node:path"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Programs } from "@kinora/media/tools/Programs"
import { oldestSupported } from "@kinora/media/tools/ToolFeatures"
import { Tools } from "@kinora/media/tools/Tools"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { codecWarnings } from "../video/process/CodecWarnings.ts"
import { failure, type Finding, good, warning } from "./DoctorReport.ts"

const install = "Install a current ffmpeg, or set KINORA_FFMPEG_PATH and KINORA_FFPROBE_PATH."

const toolsLayer = Layer.unwrap(
  KinoraConfig.use((config) =>
    Effect.succeed(
      Tools.layer.pipe(
        Layer.provide(Programs.layer),
        Layer.provide(
          Layer.succeed(MediaSettings)({
            ...defaultMediaSettings,
            ffmpegPath: config.ffmpeg.path ?? undefined,
            ffprobePath: config.ffprobe.path ?? undefined,
            cacheDirectory: join(config.derived.dataDir, "bin")
          })
        )
      )
    )
  )
)

/** Whether ffmpeg and ffprobe exist, are new enough, and have the codecs that are used. */
export const checkTools = Effect.gen(function* () {
  const { features, ffmpeg, ffprobe, warnings } = (yield* Tools).report
  const findings: Array<Finding> = []
  if (ffmpeg !== undefined) {
    findings.push(
      good("ffmpeg", `${ffmpeg.version} (${ffmpeg.path}); ${oldestSupported} is the oldest that is supported`)
    )
  }
  if (ffprobe !== undefined) findings.push(good("ffprobe", `${ffprobe.version} (${ffprobe.path})`))
  for (const problem of warnings) {
    const fatal = ffmpeg === undefined || ffprobe === undefined || !features.libx264 || !features.aac
    findings.push(fatal ? failure("ffmpeg", problem, install) : warning("ffmpeg", problem, install))
  }
  // Without ffmpeg its encoders cannot be listed.
  for (const problem of ffmpeg === undefined ? [] : codecWarnings(yield* KinoraConfig, features)) {
    findings.push(
      warning("codec", problem, "docs/transcoding.md says what is made where; transcoding.codec: h264 needs nothing.")
    )
  }
  return findings
}).pipe(Effect.provide(toolsLayer))
