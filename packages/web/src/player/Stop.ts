/** Calls once playing comes to `stop` seconds. Whoever went behind it on purpose stays there. */
export const whenReached = (video: HTMLVideoElement, stop: number, reached: () => void): void => {
  video.addEventListener("timeupdate", () => {
    if (!video.paused && !video.seeking && video.currentTime >= stop && video.currentTime < stop + 2) reached()
  })
}

/** Ends playing where the address asks for it, or begins again there when it loops. */
export const stopAt = (video: HTMLVideoElement, start: number | undefined, stop: number | undefined): void => {
  if (stop === undefined || stop <= (start ?? 0)) return
  whenReached(video, stop, () => {
    if (video.loop) video.currentTime = start ?? 0
    else {
      video.pause()
      video.currentTime = stop + 0.001
    }
  })
}
