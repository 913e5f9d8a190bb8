import { canEncode, softwareEncoder } from "@kinora/media/transcode/VideoEncoder"
import type { ToolFeatures } from "@kinora/media/tools/ToolFeatures"
import type { Configuration } from "../../platform/config/Configuration.ts"

/** Messages for the log and `kinora doctor`: which renditions will not use the configured codec. */
export const codecWarnings = (
  { transcoding }: Pick<Configuration, "transcoding">,
  features: ToolFeatures
): ReadonlyArray<string> => {
  const { codec, enabled, remote_runners: runners } = transcoding
  if (!enabled || codec === "h264") return []
  return [
    ...(canEncode(features, codec)
      ? []
      : [
          `transcoding.codec is ${codec}, but ffmpeg has no ${softwareEncoder(codec).name}: renditions are made in H.264.`
        ]),
    ...(runners.enabled ? [`transcoding.codec is ${codec}, but runners are asked for H.264.`] : [])
  ]
}
