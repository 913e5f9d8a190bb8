import type HlsForFiles from "hls.js/for-files"
import { createRetry } from "./Backoff.ts"
import { hlsSettings } from "./HlsSettings.ts"
import type { HlsMedia } from "./Media.ts"
import { t } from "./Messages.ts"
import { audioOnly, auto, indexFor, type Quality, qualityLabel, type Source, type SourceListener } from "./Source.ts"

const loadHls = async (whole: boolean): Promise<typeof HlsForFiles> =>
  whole ? (await import("hls.js")).default : (await import("hls.js/for-files")).default

/**
 * Whoever moves to the player is about to press play: what plays HLS is fetched meanwhile. If it does not arrive, it is
 * fetched again, and reported, when it is needed.
 */
export const preloadOnApproach = (root: HTMLElement, whole: boolean): void => {
  const load = () => void loadHls(whole).catch(() => undefined)
  for (const name of ["pointerenter", "focusin"]) root.addEventListener(name, load, { once: true })
}

/** No demuxer knows the segment, or it is encrypted. */
const isForeign = (details: string): boolean => details === "fragParsingError" || details === "fragDecryptError"

const goneStatuses = [401, 403, 404, 410]

export interface HlsStart {
  readonly position: number
  /** The height to play in; undefined where the bandwidth decides, 0 for sound alone. */
  readonly height: number | undefined
}

/** Plays an HLS master playlist through Media Source Extensions. */
export const openHls = async (
  video: HTMLVideoElement,
  media: HlsMedia,
  { height, position }: HlsStart,
  listener: SourceListener
): Promise<Source> => {
  const { audioUrl } = media
  const isAudio = height === 0 && audioUrl !== undefined
  const url = isAudio ? audioUrl : media.url
  const [Hls, lives] = await Promise.all([
    loadHls(media.whole),
    media.live === undefined ? undefined : import("./LiveHls.ts")
  ])
  const retry = createRetry()
  let mediaErrors = 0
  let lastMediaError = 0
  let inTrouble = false

  const hls = new Hls({
    ...hlsSettings,
    startPosition: position > 0 && lives === undefined ? position : -1,
    ...lives?.liveSettings(media.live === "small")
  })
  const live = lives?.followLive(hls, video, url, media.live === "small", listener)

  const resume = () => {
    if (hls.levels.length === 0) hls.loadSource(url)
    else hls.startLoad(video.currentTime > 0 ? video.currentTime : position)
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
    if (!media.whole && isForeign(data.details)) return listener.foreign()
    if (!data.fatal || live?.failed(data) === true) return
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
    live?.healthy()
    retry.reset()
    if (!inTrouble) return
    inTrouble = false
    listener.recovered()
  }

  const quality = (index: number): Quality | undefined => {
    const level = hls.levels[index]
    if (level === undefined) return undefined
    const side = Math.min(level.width || level.height, level.height)
    return { id: index, height: side, label: side > 0 ? qualityLabel(side, level.frameRate) : t("audioOnly") }
  }
  const levels = () => hls.levels.map((_, index) => quality(index)).filter((it) => it !== undefined)
  const sound: Quality = { id: audioOnly, height: 0, label: t("audioOnly") }

  let sent: string | undefined
  // What the browser was asked to decode; a master playlist need not name it.
  hls.on(Hls.Events.BUFFER_CODECS, (_event, tracks) => {
    sent = [tracks.video, tracks.audio, tracks.audiovideo]
      .map((it) => it?.levelCodec ?? it?.codec)
      .filter((it) => it !== undefined && it !== "")
      .join(", ")
  })
  hls.on(Hls.Events.FRAG_BUFFERED, healthy)
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    if (height !== undefined && !isAudio && hls.levels.length > 1) hls.loadLevel = indexFor(levels(), height)
    listener.changed()
  })
  hls.on(Hls.Events.LEVEL_SWITCHED, () => listener.changed())

  hls.loadSource(url)
  hls.attachMedia(video)

  const rest = {
    adaptive: true,
    kind: "HLS" as const,
    codec: () => sent || undefined,
    bandwidth: () => hls.bandwidthEstimate,
    ...(live === undefined ? {} : { live: live.point }),
    close: () => {
      live?.close()
      retry.stop()
      hls.destroy()
    }
  }
  if (isAudio) {
    return {
      ...rest,
      qualities: () => [...media.qualities, sound],
      selected: () => audioOnly,
      current: () => sound,
      select: (id) => {
        if (id !== audioOnly) listener.reopen()
      }
    }
  }
  return {
    ...rest,
    qualities: () => [...levels().sort((a, b) => b.height - a.height), ...(audioUrl === undefined ? [] : [sound])],
    selected: () => (hls.autoLevelEnabled ? auto : hls.manualLevel),
    current: () => quality(hls.currentLevel),
    select: (id) => {
      if (id === audioOnly) return listener.reopen()
      hls.nextLevel = id
      listener.changed()
    }
  }
}
