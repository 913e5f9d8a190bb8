import { LiveLatencyMode } from "@kinora/domain/enums/Live"
import type { Fragmentation } from "@kinora/media/live/LiveArguments"
import { type LiveOutput, needsFragments } from "@kinora/media/live/LivePlan"
import type { LiveSettingsShape } from "../settings/LiveSettings.ts"
import type { PartRules } from "./MediaPlaylist.ts"

/** How the segments of a session are made, from its first run to its last: a playlist cannot change from one to the other. */
export interface Packaging {
  /** Undefined: MPEG transport streams. */
  readonly fragments: Fragmentation | undefined
  /** The rules for parts of a version; undefined where segments are whole. */
  readonly partsOf: (output: LiveOutput) => PartRules | undefined
}

/** How parts are made. A part ends at the first packet that is `least` seconds after its beginning. */
interface Parts {
  readonly least: number
  /** Players stay so many parts from the end. */
  readonly behind: number
}

/** A third or half of a second and a little more, so that the last part of each second is the shorter one. */
const partsFor: Readonly<Record<number, Parts>> = {
  [LiveLatencyMode.small]: { least: 0.35, behind: 3 },
  [LiveLatencyMode.default]: { least: 0.52, behind: 4 }
}

/** Seconds between pictures of a stream that names no rate, and between packets of sound. */
const usualFrame = 0.04
/** Seconds. Times are rounded on their way. */
const rounding = 0.01

const rulesOf = ({ behind, least }: Parts, { fps }: LiveOutput): PartRules => {
  const target = least + (fps > 0 ? 1 / fps : usualFrame) + rounding
  return { target, holdBack: behind * target }
}

/**
 * How a session is packaged. Runners send transport streams, and a run of this node may follow theirs. HEVC and AV1 are not
 * played out of transport streams. Parts are for lives whose maker did not choose a large delay.
 */
export const packagingOf = (
  settings: Pick<LiveSettingsShape, "container" | "lowLatency" | "remoteRunners">,
  latencyMode: number,
  outputs: ReadonlyArray<LiveOutput>
): Packaging => {
  const whole: Packaging = { fragments: undefined, partsOf: () => undefined }
  const isEncoded = outputs.some(({ picture }) => typeof picture !== "string")
  if (settings.remoteRunners && isEncoded) return whole
  const parts = settings.lowLatency ? partsFor[latencyMode] : undefined
  if (parts !== undefined) return { fragments: { partSeconds: parts.least }, partsOf: (it) => rulesOf(parts, it) }
  const isFragmented = settings.container === "fmp4" || outputs.some(needsFragments)
  return isFragmented ? { ...whole, fragments: { partSeconds: undefined } } : whole
}
