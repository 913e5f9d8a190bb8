/** A tool that was found. `major` is 0 for development builds without a number. */
export interface Found {
  readonly path: string
  readonly version: string
  readonly major: number
  readonly minor: number
  /** Year of the build's copyright line: distinguishes development builds. */
  readonly year: number
}

/** What ffmpeg was built with, as far as we use it. */
export interface ToolFeatures {
  /** Every encoder, by ffmpeg's name. A hardware encoder in the list does not mean that the machine has it. */
  readonly encoders: ReadonlySet<string>
  readonly libx264: boolean
  readonly aac: boolean
  readonly libvmaf: boolean
  readonly zscale: boolean
  readonly tonemap: boolean
  readonly bwdif: boolean
  readonly yadif: boolean
}

/** Parses the first line of `-version`. Undefined for other programs. */
export const readVersion = (output: string): Omit<Found, "path"> | undefined => {
  const match = /^ff(?:mpeg|probe) version (\S+) .*?Copyright \(c\) (?:\d{4}-)?(\d{4})/.exec(output)
  if (match === null) return undefined
  const version = match[1] ?? ""
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  return { version, major: Number(major ?? 0), minor: Number(minor ?? 0), year: Number(match[2]) }
}

/** Parses `-encoders` and `-filters`: the name is the second word of a line. */
export const readFeatures = (encoders: string, filters: string): ToolFeatures => {
  const names = (text: string) => new Set(text.split("\n").map((line) => line.trim().split(/\s+/)[1] ?? ""))
  const encoder = names(encoders)
  const filter = names(filters)
  return {
    encoders: encoder,
    libx264: encoder.has("libx264"),
    aac: encoder.has("aac"),
    libvmaf: filter.has("libvmaf"),
    zscale: filter.has("zscale"),
    tonemap: filter.has("tonemap"),
    bwdif: filter.has("bwdif"),
    yadif: filter.has("yadif")
  }
}

/** The oldest version that tests run with: that of Debian 12. Released in 2022. */
export const oldestSupported = "5.1"
const oldest = { major: 5, minor: 1, year: 2022 }

/** True for versions that may work, but that nobody tests. */
const isUntested = ({ major, minor, year }: Found): boolean =>
  major > 0 ? major < oldest.major || (major === oldest.major && minor < oldest.minor) : year < oldest.year

/** True for builds that are too old for untrusted uploads. */
export const isTooOld = (found: Found): boolean => (found.major > 0 ? found.major < 4 : found.year < 2020)

export const tooOld = (tool: "ffmpeg" | "ffprobe", found: Found): string =>
  `${tool} ${found.version} (${found.year}) is too old for untrusted files: install a current one or set KINORA_${tool.toUpperCase()}_PATH.`

/** Messages for `kinora doctor`. */
export const toolWarnings = (found: Found, features: ToolFeatures): ReadonlyArray<string> => [
  ...(isTooOld(found)
    ? [tooOld("ffmpeg", found)]
    : isUntested(found)
      ? [
          `ffmpeg ${found.version} is older than ${oldestSupported}, the oldest that is supported: some videos may fail.`
        ]
      : []),
  ...(features.libx264 ? [] : ["ffmpeg has no libx264: videos cannot be transcoded. Install a build with libx264."]),
  ...(features.aac ? [] : ["ffmpeg has no aac encoder: audio cannot be transcoded."]),
  ...(features.zscale && features.tonemap
    ? []
    : ["ffmpeg has no zscale or tonemap filter: colours of HDR videos will look flat."]),
  ...(features.bwdif || features.yadif
    ? []
    : ["ffmpeg has no bwdif or yadif filter: interlaced videos keep their comb."])
]
