/** What segments are: whole MPEG transport streams, or fragments of MP4 that follow an initialization section. */
export type LiveContainer = "mpegts" | "fmp4"

const endings: Readonly<Record<LiveContainer, string>> = { mpegts: "ts", fmp4: "m4s" }

const sixDigits = (number: number): string => String(number).padStart(6, "0")

/** The name of a segment. */
export const segmentName = (
  prefix: string,
  resolution: number,
  number: number,
  container: LiveContainer = "mpegts"
): string => `${prefix}-${resolution}-${sixDigits(number)}.${endings[container]}`

/** The number in a segment's name, and the version that it belongs to. */
export const segmentPlace = (name: string): { readonly resolution: number; readonly number: number } | undefined => {
  const found = /-(\d+)-(\d{6,})\.(?:ts|m4s)$/.exec(name)
  return found === null ? undefined : { resolution: Number(found[1]), number: Number(found[2]) }
}

/** The name of the initialization section of a version in one run. */
export const initName = (prefix: string, resolution: number): string => `${prefix}-${resolution}-init.mp4`

/** The initialization section that a segment needs before it, by its name; undefined for a transport stream. */
export const initOf = (segment: string): string | undefined =>
  segment.endsWith(".m4s") ? segment.replace(/-\d+\.m4s$/, "-init.mp4") : undefined

/** The name of a part of a segment. Parts are numbered over the whole run, so that the name of the next one is known. */
export const partName = (prefix: string, resolution: number, number: number): string =>
  `${prefix}-${resolution}-part-${sixDigits(number)}.m4s`
