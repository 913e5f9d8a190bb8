import type { Output } from "../../api/Endpoints.ts"

type Figures = Pick<
  Output<"GET /api/v1/videos/live/:id/health">,
  "audio" | "bitRate" | "frameRate" | "keyframeInterval" | "recentlyDroppedFrames" | "video"
>

/** Segments begin at keyframes: longer than this apart, in seconds, they make the delay longer. */
const longest = { usual: 4.5, short: 2.2 }

/** From so many frames a minute on, viewers see the picture stutter. */
const mostDropped = 30

/** What a maker may do about a stream, by the key of the message that says so. */
export const advice = (
  { audio, bitRate, frameRate, keyframeInterval, recentlyDroppedFrames, video }: Figures,
  short: boolean
): ReadonlyArray<"adviceKeyframes" | "adviceNoSound" | "adviceNothing" | "adviceFrames" | "adviceDropped"> => [
  ...(bitRate === 0 ? (["adviceNothing"] as const) : []),
  ...(keyframeInterval !== null && keyframeInterval > (short ? longest.short : longest.usual)
    ? (["adviceKeyframes"] as const)
    : []),
  ...(video !== null && bitRate > 0 && frameRate < 15 ? (["adviceFrames"] as const) : []),
  ...(recentlyDroppedFrames >= mostDropped ? (["adviceDropped"] as const) : []),
  ...(audio === null ? (["adviceNoSound"] as const) : [])
]
