import type { LiveHealth } from "@kinora/domain/wire/LiveHealth"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { StreamHealth } from "./StreamHealth.ts"

/** The health of a live that nobody publishes. */
export const silence: LiveHealth = {
  connected: false,
  connectedAt: null,
  bitRate: 0,
  frameRate: 0,
  keyframeInterval: null,
  droppedFrames: 0,
  recentlyDroppedFrames: 0,
  video: null,
  audio: null,
  outputs: []
}

/**
 * The health of a live that is published.
 *
 * @param connectedAt milliseconds since 1970, as `now`
 * @param plan undefined: it is not known yet what the publisher sends
 */
export const measured = (
  connectedAt: number,
  health: StreamHealth,
  plan: { readonly info: MediaInfo; readonly outputs: ReadonlyArray<LiveOutput> } | undefined,
  now: number
): LiveHealth => {
  const { video, audio } = plan?.info ?? { video: undefined, audio: [] }
  return {
    connected: true,
    connectedAt: new Date(connectedAt).toISOString(),
    ...health.measure(now),
    video: video === undefined ? null : { codec: video.codec, width: video.width, height: video.height },
    audio: audio[0] === undefined ? null : { codec: audio[0].codec },
    outputs: plan?.outputs.map(({ resolution }) => resolution) ?? []
  }
}
