import type { VideoDetails } from "../api/Wire.ts"

/** Where a live is (contract: VideoState). `replay`: it has become an ordinary video. */
export type LiveState = "waiting" | "on" | "ended" | "replay"

export const liveStateOf = ({ isLive, state }: Pick<VideoDetails, "isLive" | "state">): LiveState => {
  if (!isLive) return state.id === 1 ? "replay" : "ended"
  if (state.id === 1) return "on"
  return state.id === 5 ? "ended" : "waiting"
}

/** The next time at which a live is announced to begin. One that was to begin minutes ago may still begin. */
export const nextSchedule = (
  schedules: VideoDetails["liveSchedules"],
  now: number,
  grace = 15 * 60_000
): number | undefined =>
  (schedules ?? [])
    .map(({ startAt }) => Date.parse(startAt))
    .filter((at) => at > now - grace)
    .toSorted((a, b) => a - b)[0]
