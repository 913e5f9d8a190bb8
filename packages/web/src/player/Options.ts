import { parseTime } from "./Time.ts"

/** What an address may ask of a player. Whatever is not named here is ignored. */
export interface PlayerOptions {
  /** Seconds. */
  readonly start: number | undefined
  readonly autoplay: boolean
  readonly muted: boolean
  readonly loop: boolean
  readonly controls: boolean
  readonly title: boolean
  /** A page outside sends the password of the video. */
  readonly passwordComes: boolean
}

const flag = (query: URLSearchParams, name: string, otherwise: boolean): boolean => {
  const value = query.get(name)
  if (value === "1" || value === "true") return true
  if (value === "0" || value === "false") return false
  return otherwise
}

/** Reads the allow-listed parameters of a page's address. */
export const readOptions = (search: string, defaults: { readonly autoplay: boolean }): PlayerOptions => {
  const query = new URLSearchParams(search)
  return {
    start: parseTime(query.get("start")),
    autoplay: flag(query, "autoplay", defaults.autoplay),
    muted: flag(query, "muted", false),
    loop: flag(query, "loop", false),
    controls: flag(query, "controls", true),
    title: flag(query, "title", true),
    passwordComes: flag(query, "waitPasswordFromEmbedAPI", false)
  }
}
