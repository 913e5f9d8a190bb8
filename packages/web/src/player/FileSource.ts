import type { VideoFile } from "../api/Wire.ts"
import { createRetry } from "./Backoff.ts"
import { reachable } from "./Redirects.ts"
import { auto, indexFor, type Quality, qualityLabel, type Source, type SourceListener } from "./Source.ts"

/** An address the browser plays by itself: a web video file, or an HLS playlist where the browser knows HLS. */
export interface Address extends Quality {
  readonly url: string
}

export const fileAddresses = (files: ReadonlyArray<VideoFile>): ReadonlyArray<Address> =>
  files.map((file, id) => ({
    id,
    url: file.fileUrl,
    height: file.resolution.id,
    label: qualityLabel(file.resolution.id, file.fps)
  }))

/** The highest that is not above what the player can show. */
const bestFor = (addresses: ReadonlyArray<Address>, height: number): Address =>
  addresses.find((it) => it.height <= Math.max(height, 480)) ?? addresses.at(-1)!

/** Plays one address at a time; a switch keeps position, speed and whether it runs. */
export const openFiles = (
  video: HTMLVideoElement,
  addresses: ReadonlyArray<Address>,
  start: number,
  listener: SourceListener,
  /** The height to play in, where somebody chose one. */
  height?: number
): Source => {
  const retry = createRetry()
  const closing = new AbortController()
  /** Without those whose codec this browser turned out not to know. */
  let playable = addresses
  const best = () => {
    const chosen = height === undefined ? undefined : indexFor(playable, height)
    return playable.find((it) => it.id === chosen) ?? bestFor(playable, video.clientHeight * devicePixelRatio)
  }
  let playing = best()
  let position = start
  let running = false
  let inTrouble = false

  const open = (address: Address) => {
    const speed = video.playbackRate
    playing = address
    video.src = reachable(address.url)
    video.defaultPlaybackRate = speed
    video.load()
    listener.changed()
  }

  const on = (name: keyof HTMLMediaElementEventMap, action: () => void) =>
    video.addEventListener(name, action, { signal: closing.signal })

  const openAnother = () => {
    playable = playable.filter((it) => it !== playing)
    return playable.length === 0 ? listener.broken("format") : open(best())
  }

  on("loadedmetadata", () => {
    // Browsers play the sound of a file whose picture they do not know, and call that a success.
    if (video.videoWidth === 0 && playable.length > 1) return openAnother()
    if (position > 0) video.currentTime = position
    if (running) void video.play().catch(() => undefined)
  })
  on("timeupdate", () => {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !video.seeking) position = video.currentTime
  })
  on("play", () => {
    running = true
  })
  on("pause", () => {
    if (video.error === null) running = false
  })
  on("canplay", () => {
    retry.reset()
    if (!inTrouble) return
    inTrouble = false
    listener.recovered()
  })
  on("error", () => {
    const code = video.error?.code
    if (code === MediaError.MEDIA_ERR_DECODE) return listener.broken("decode")
    // "Not supported" is also what a refused address gives: ask what it answers before giving up on it.
    const asked = playing
    fetch(reachable(asked.url), { method: "HEAD" })
      .then((answer) => answer.status)
      .catch(() => 0)
      .then((status) => {
        if (closing.signal.aborted || playing !== asked) return
        if ([401, 403, 404, 410].includes(status)) return listener.gone(status)
        if (status >= 200 && status < 300 && code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED) {
          return openAnother()
        }
        inTrouble = true
        listener.trouble()
        retry.schedule(() => open(playing))
      })
  })

  open(playing)

  return {
    adaptive: false,
    qualities: () => (playable.length > 1 ? playable : []),
    selected: () => (playable.length > 1 ? playing.id : auto),
    current: () => playing,
    kind: "file",
    codec: () => undefined,
    bandwidth: () => undefined,
    select: (id) => {
      const next = playable.find((it) => it.id === id)
      if (next === undefined || next.id === playing.id) return
      position = video.currentTime
      running = !video.paused
      open(next)
    },
    close: () => {
      retry.stop()
      closing.abort()
      video.removeAttribute("src")
      video.load()
    }
  }
}
