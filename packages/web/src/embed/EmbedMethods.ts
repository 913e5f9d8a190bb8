import type { PlaylistQueue } from "../playlists/PlaylistQueue.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { speeds } from "../player/Settings.ts"
import { auto } from "../player/Source.ts"
import { later, type Method, Refusal } from "./Channel.ts"
import { goTo } from "./EmbedSteps.ts"
import { frameOf } from "./Frame.ts"
import { resolutionsOf } from "./Resolutions.ts"

const numberWithin = (value: unknown, low: number, high: number): number => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Refusal("A number is expected")
  return Math.min(high, Math.max(low, value))
}

const text = (value: unknown, longest: number): string => {
  if (typeof value !== "string" || value.length > longest) throw new Refusal("A short text is expected")
  return value
}

/** What the page outside may ask of the player; every value it sends is checked. */
export const embedMethods = (
  player: Player,
  queue: PlaylistQueue | undefined,
  isReady: () => boolean
): ReadonlyMap<string, Method> => {
  const { captions, video } = player

  const setResolution = (id: unknown) => {
    const height = numberWithin(id, -1, 20_000)
    const found = player.qualities().find((it) => it.height === height)
    if (height !== -1 && found === undefined) throw new Refusal("There is no such resolution")
    player.choose(found?.id ?? auto)
  }

  const methods: Record<string, Method> = {
    isReady: () => isReady(),
    play: () => player.play(),
    pause: () => video.pause(),
    isPlaying: () => !video.paused && !video.ended,
    seek: (seconds) => player.seek(numberWithin(seconds, 0, Number.MAX_SAFE_INTEGER)),
    getCurrentTime: () => video.currentTime,
    setVolume: (level) => {
      video.volume = numberWithin(level, 0, 1)
      video.muted = video.volume === 0
    },
    getVolume: () => (video.muted ? 0 : video.volume),
    getCaptions: () => captions.tracks(),
    setCaption: (id) => captions.selectLanguage(id === null || id === undefined ? "" : text(id, 40)),
    getResolutions: () => resolutionsOf(player),
    setResolution,
    getPlaybackRates: () => [...speeds],
    getPlaybackRate: () => video.playbackRate,
    setPlaybackRate: (rate) => {
      video.playbackRate = numberWithin(rate, speeds[0], speeds.at(-1) ?? 2)
    },
    playNextVideo: (_params, id) => {
      if (queue?.next === undefined) return undefined
      goTo(queue.next, id)
      return later
    },
    playPreviousVideo: (_params, id) => {
      if (queue?.previous === undefined) return undefined
      goTo(queue.previous, id)
      return later
    },
    getCurrentPosition: () => queue?.position,
    setVideoPassword: (password) => player.unlock(text(password, 1_000)),
    getImageDataUrl: () => frameOf(player)
  }
  return new Map(Object.entries(methods))
}
