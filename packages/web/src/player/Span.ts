import type { LivePoint } from "./Source.ts"

/** What can be played of a video, in seconds of its own time. The window of a live moves on. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly isLive: boolean
}

/** `total` is the length that is known before the media are; `point` is where a live is. */
export const spanOf = (
  video: Pick<HTMLVideoElement, "duration" | "seekable">,
  total: number,
  point: LivePoint | undefined
): Span => {
  const { duration, seekable } = video
  if (duration !== Infinity && point === undefined)
    return { from: 0, to: duration > 0 ? duration : total, isLive: false }
  const last = seekable.length - 1
  const end = last < 0 ? 0 : seekable.end(last)
  const from = point?.from ?? (last < 0 ? 0 : seekable.start(0))
  return { from, to: Math.max(from, point?.edge ?? end), isLive: true }
}

/** Less than this behind the edge, in seconds, is at the edge: players do not hit it better. */
const near = 2.5

/** How far a position of a live is behind its edge, in seconds; 0 at the edge. */
export const behindEdge = ({ to }: Span, position: number, point: LivePoint | undefined): number => {
  const behind = to - position
  return behind <= Math.max(near, point?.tolerance ?? 0) ? 0 : behind
}
