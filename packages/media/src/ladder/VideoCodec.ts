/** Video codecs that can be encoded, as ffprobe and the configuration name them. */
export const videoCodecs = ["h264", "hevc", "av1", "vp9"] as const

export type VideoCodec = (typeof videoCodecs)[number]

/** The codecs and the quality of a ladder. */
export interface CodecChoice {
  readonly codec: VideoCodec
  /** Constant quality (CRF), each on the scale of its codec: smaller means better and larger. */
  readonly quality: Readonly<Record<VideoCodec, number>>
  /** Whether one small rendition is H.264 whatever `codec` is, for players that lack it. */
  readonly keepH264: boolean
}

/** Tuned so that VMAF against the scaled source stays above 90 with the default preset; the bench measures it. */
export const defaultQuality: CodecChoice["quality"] = { h264: 22, hevc: 25, av1: 36, vp9: 37 }

export const defaultCodecs: CodecChoice = { codec: "h264", quality: defaultQuality, keepH264: true }
