/** Effort of an encoder by x264's names, from the fastest to the slowest that is of use to a video host. */
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
