import { Media } from "@kinora/media/Media"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../config/Config.ts"

const settings = Layer.effect(
  MediaSettings,
  Effect.map(KinoraConfig, (config) => ({
    ...defaultMediaSettings,
    ffmpegPath: config.ffmpeg.path ?? undefined,
    ffprobePath: config.ffprobe.path ?? undefined,
    cacheDirectory: config.storage.bin,
    threads: config.transcoding.threads,
    preset: config.transcoding.preset,
    encodeMemory: config.media_limits.encode_memory,
    encodeTimeout: config.media_limits.encode_timeout,
    probeMemory: config.media_limits.probe_memory,
    probeTimeout: config.media_limits.probe_timeout
  }))
)

/** ffprobe and ffmpeg as configured. */
export const MediaServices = Media.layer.pipe(Layer.provide(settings))
