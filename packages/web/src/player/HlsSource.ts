import type HlsLight from "hls.js/light"
import { createRetry } from "./Backoff.ts"
import { auto, type Quality, qualityLabel, type Source, type SourceListener } from "./Source.ts"

const loadHls = async (splitAudio: boolean): Promise<typeof HlsLight> =>
  splitAudio ? (await import("hls.js")).default : (await import("hls.js/light")).default

/** Fetches what plays HLS before it is needed. One that does not arrive is fetched again, and reported, when it is. */
export const preloadHls = (splitAudio: boolean): void => void loadHls(splitAudio).catch(() => undefined)

/** Brief retries of hls.js itself; longer outages are ours, see `trouble`. */
const policy = (firstByte: number) => ({
  default: {
    maxTimeToFirstByteMs: firstByte,
    maxLoadTimeMs: 60_000,
    timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 2, retryDelayMs: 400, maxRetryDelayMs: 2_000 }
  }
})

const goneStatuses = [401, 403, 404, 410]

/** Plays an HLS master playlist through Media Source Extensions from `start` seconds. */
export const openHls = async (
  video: HTMLVideoElement,
  media: { readonly url: string; readonly splitAudio: boolean },
  start: number,
  listener: SourceListener
): Promise<Source> => {
  const Hls = await loadHls(media.splitAudio)
  const retry = createRetry()
  let mediaErrors = 0
  let lastMediaError = 0
  let inTrouble = false

  const hls = new Hls({
    enableWorker: false,
    startPosition: start > 0 ? start : -1,
    capLevelToPlayerSize: true,
    maxBufferLength: 30,
    backBufferLength: 60,
    abrEwmaDefaultEstimate: 2_000_000,
    manifestLoadPolicy: policy(10_000),
    playlistLoadPolicy: policy(10_000),
    fragLoadPolicy: policy(10_000)
  })

  const resume = () => {
    if (hls.levels.length === 0) hls.loadSource(media.url)
    else hls.startLoad(video.currentTime > 0 ? video.currentTime : start)
  }

  const recoverMedia = (reason: string) => {
    const now = performance.now()
    mediaErrors = now - lastMediaError < 10_000 ? mediaErrors + 1 : 1
    lastMediaError = now
    if (mediaErrors > 3) return listener.broken(reason)
    if (mediaErrors === 2) hls.swapAudioCodec()
    hls.recoverMediaError()
  }

  hls.on(Hls.Events.ERROR, (_event, data) => {
    if (!data.fatal) return
    const status = data.response?.code ?? 0
    if (data.type === Hls.ErrorTypes.MEDIA_ERROR) return recoverMedia(data.details)
    if (data.type !== Hls.ErrorTypes.NETWORK_ERROR) return listener.broken(data.details)
    if (data.details === Hls.ErrorDetails.MANIFEST_PARSING_ERROR) return listener.broken(data.details)
    if (goneStatuses.includes(status)) return listener.gone(status)
    inTrouble = true
    listener.trouble()
    retry.schedule(resume)
  })

  const healthy = () => {
    retry.reset()
    if (!inTrouble) return
    inTrouble = false
    listener.recovered()
  }
  hls.on(Hls.Events.FRAG_BUFFERED, healthy)
  hls.on(Hls.Events.MANIFEST_PARSED, () => listener.changed())
  hls.on(Hls.Events.LEVEL_SWITCHED, () => listener.changed())

  hls.loadSource(media.url)
  hls.attachMedia(video)

  const quality = (index: number): Quality | undefined => {
    const level = hls.levels[index]
    if (level === undefined) return undefined
    const height = Math.min(level.width || level.height, level.height)
    return { id: index, height, label: height > 0 ? qualityLabel(height, level.frameRate) : "Audio" }
  }

  return {
    adaptive: true,
    qualities: () =>
      hls.levels
        .map((_, index) => quality(index))
        .filter((it) => it !== undefined)
        .sort((a, b) => b.height - a.height),
    selected: () => (hls.autoLevelEnabled ? auto : hls.nextLevel),
    current: () => quality(hls.currentLevel),
    select: (id) => {
      hls.nextLevel = id
      listener.changed()
    },
    close: () => {
      retry.stop()
      hls.destroy()
    }
  }
}
