/** Encoder presets by x264's names, from the fastest to the slowest that is useful for a video host. */
export const presets = [
  "ultrafast",
  "superfast",
  "veryfast",
  "faster",
  "fast",
  "medium",
  "slow",
  "slower",
  "veryslow"
] as const

export type Preset = (typeof presets)[number]
