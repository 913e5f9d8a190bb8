import { Context, Duration, Effect, Layer, type Scope } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import { codecWhitelist, formatWhitelist } from "../process/AllowList.ts"
import { fileUrl } from "../process/FfmpegCommand.ts"
import { FfmpegProcess, type ToolOutput } from "../process/FfmpegProcess.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"

/** Files to mux: absolute paths of stored files. */
export interface MuxInputs {
  readonly video: string
  readonly audio: string
}

/** Copying takes one or two seconds of processor time per gibibyte. */
const cpuSeconds = 3600

/** A fragment is held in memory until it is complete: without a keyframe, it ends after this many bytes anyway. */
const largestFragment = 8 * 1024 ** 2

const input = (path: string): ReadonlyArray<string> => [
  "-protocol_whitelist",
  "file,pipe",
  "-format_whitelist",
  formatWhitelist("upload"),
  "-codec_whitelist",
  codecWhitelist("upload"),
  "-i",
  fileUrl(path)
]

/** Arguments that copy one video and one audio stream into a fragmented MP4 on standard output. */
const muxArguments = ({ audio, video }: MuxInputs): ReadonlyArray<string> => [
  ...["-nostdin", "-hide_banner", "-loglevel", "error"],
  ...input(video),
  ...input(audio),
  ...["-map", "0:v:0", "-map", "1:a:0", "-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"],
  // The header waits for the first packets: only then their start times are known.
  ...["-movflags", "frag_keyframe+empty_moov+delay_moov+default_base_moof"],
  ...["-frag_size", String(largestFragment), "-max_muxing_queue_size", "4096", "-f", "mp4", "pipe:1"]
]

/** Muxes a video and an audio file while they are read: streams are copied and no file is written. */
export class Mux extends Context.Service<
  Mux,
  {
    /**
     * Starts a fragmented MP4 (ISO/IEC 14496-12, 8.8), which is produced as fast as it is read. The tool is killed when
     * the scope closes.
     */
    mux(inputs: MuxInputs): Effect.Effect<ToolOutput, FfmpegFailed | ToolMissing, Scope.Scope>
  }
>()("@kinora/media/mux/Mux") {
  static readonly layer = Layer.effect(
    Mux,
    Effect.gen(function* () {
      const ffmpeg = yield* FfmpegProcess
      const settings = yield* MediaSettings
      return Mux.of({
        mux: (inputs) =>
          ffmpeg.bytes({
            tool: "ffmpeg",
            args: muxArguments(inputs),
            timeout: Duration.max(settings.encodeTimeout, settings.probeTimeout),
            // It may only write to standard output.
            limits: { memory: settings.probeMemory, fileSize: 0, cpuSeconds }
          })
      })
    })
  )
}
