import { rememberPosition, rememberVolume, type Shelf } from "./Memory.ts"
import { reportToInstance, reportWatching } from "./Watching.ts"

/** Between two writes of the position, in seconds of the video. */
const interval = 5

/** Keeps volume and position in this browser, and reports to the instance that somebody watches. */
export const keepProgress = (
  video: HTMLVideoElement,
  id: string,
  shelf: Shelf | undefined,
  /** The length in seconds; undefined while there is no position to keep. */
  duration: () => number | undefined
): void => {
  let saved = 0
  const remember = () => {
    const length = duration()
    if (length !== undefined) rememberPosition(shelf, id, video.currentTime, length)
  }
  video.addEventListener("volumechange", () => rememberVolume(shelf, { level: video.volume, muted: video.muted }))
  video.addEventListener("pause", remember)
  video.addEventListener("timeupdate", () => {
    if (Math.abs(video.currentTime - saved) < interval) return
    saved = video.currentTime
    remember()
  })
  const leave = reportWatching(video, reportToInstance(id))
  addEventListener("pagehide", () => {
    remember()
    leave()
  })
}
