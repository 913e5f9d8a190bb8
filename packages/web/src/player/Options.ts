import { colorOf, type Colors } from "./Colors.ts"
import { parseTime } from "./Time.ts"

/** What an address may ask of a player (docs/embedding.md). Whatever is not named here is ignored. */
export interface PlayerOptions {
  /** Seconds. */
  readonly start: number | undefined
  readonly stop: number | undefined
  readonly autoplay: boolean
  readonly muted: boolean
  readonly loop: boolean
  /** False: neither buttons nor keys. */
  readonly controls: boolean
  /** False: no bar of buttons; keys and the picture itself still work. */
  readonly controlBar: boolean
  readonly title: boolean
  /** The language of the captions that are shown from the start. */
  readonly subtitle: string | undefined
  readonly playbackRate: number | undefined
  /** Which way of playing comes first, where a video has both. */
  readonly mode: "hls" | "files" | undefined
  readonly colors: Colors
  /** The page outside drives the player by messages. */
  readonly api: boolean
  /** A page outside sends the password of the video. */
  readonly passwordComes: boolean
}

const flag = (query: URLSearchParams, name: string, otherwise: boolean): boolean => {
  const value = query.get(name)
  if (value === "1" || value === "true") return true
  if (value === "0" || value === "false") return false
  return otherwise
}

/** Names of the peer for its ways of playing; the last one is an old name of the second. */
const modes: Readonly<Record<string, "hls" | "files">> = {
  "p2p-media-loader": "hls",
  "web-video": "files",
  webtorrent: "files"
}

/** Speeds that browsers play with sound. */
const rateOf = (text: string | null): number | undefined => {
  if (text === null || !/^\d{1,2}(?:\.\d{1,3})?$/.test(text)) return undefined
  const rate = Number(text)
  return rate >= 0.25 && rate <= 4 ? rate : undefined
}

const languageOf = (text: string | null): string | undefined =>
  text !== null && /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(text) ? text : undefined

/** Reads the allow-listed parameters of a page's address. */
export const readOptions = (search: string, defaults: { readonly autoplay: boolean }): PlayerOptions => {
  const query = new URLSearchParams(search)
  const mode = query.get("mode") ?? ""
  return {
    start: parseTime(query.get("start")),
    stop: parseTime(query.get("stop")),
    autoplay: flag(query, "autoplay", defaults.autoplay),
    muted: flag(query, "muted", false),
    loop: flag(query, "loop", false),
    controls: flag(query, "controls", true),
    controlBar: flag(query, "controlBar", true),
    title: flag(query, "title", true),
    subtitle: languageOf(query.get("subtitle")),
    playbackRate: rateOf(query.get("playbackRate")),
    mode: Object.hasOwn(modes, mode) ? modes[mode] : undefined,
    colors: {
      bigPlay: colorOf(query.get("bigPlayBackgroundColor")),
      foreground: colorOf(query.get("foregroundColor"))
    },
    api: flag(query, "api", false),
    passwordComes: flag(query, "waitPasswordFromEmbedAPI", false)
  }
}
