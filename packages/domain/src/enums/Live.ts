/** How much delay a live accepts for a steadier or wider distribution (contract: LiveVideoLatencyMode). */
export type LiveLatencyMode = 1 | 2 | 3
export const LiveLatencyMode = { default: 1, high: 2, small: 3 } as const
export const liveLatencyModes: ReadonlyArray<LiveLatencyMode> = [1, 2, 3]

/** Why a session of a live ended early (contract: LiveVideoError). */
export type LiveError = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
export const LiveError = {
  badSocketHealth: 1,
  durationExceeded: 2,
  quotaExceeded: 3,
  ffmpeg: 4,
  blacklisted: 5,
  runnerJob: 6,
  runnerJobCancelled: 7,
  unknown: 8,
  invalidInput: 9
} as const
