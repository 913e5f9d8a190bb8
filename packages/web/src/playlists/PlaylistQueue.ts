import type { PlayerOptions } from "../player/Options.ts"
import { whenReached } from "../player/Stop.ts"
import type { Player } from "../player/PlayerInterface.ts"

/** A place of a playlist: its number, where it begins and ends in seconds, and the addresses beside it. */
export interface PlaylistQueue {
  readonly position: number | undefined
  readonly previous: string | undefined
  readonly start: number | undefined
  readonly stop: number | undefined
  readonly next: string | undefined
}

const seconds = (text: string | undefined): number | undefined => {
  const value = Number(text)
  return text === undefined || !Number.isFinite(value) || value < 0 ? undefined : value
}

/** What the page says of the playlist it plays; undefined on pages that play none. */
export const queueOfPage = (): PlaylistQueue | undefined => {
  const place = document.querySelector<HTMLElement>("[data-playlist]")
  if (place === null) return undefined
  const { next, position, previous, start, stop } = place.dataset
  return { position: seconds(position), previous, start: seconds(start), stop: seconds(stop), next }
}

/** The options with the beginning of the place, unless the address names another. */
export const inQueue = (options: PlayerOptions, queue: PlaylistQueue | undefined): PlayerOptions =>
  queue?.start === undefined || options.start !== undefined ? options : { ...options, start: queue.start }

/** The next address with what this one asks of the player, which goes on playing. */
export const continued = (next: string, from: string): string => {
  const here = new URL(from)
  const there = new URL(next, here)
  for (const [name, value] of here.searchParams) {
    if (name !== "start" && !there.searchParams.has(name)) there.searchParams.set(name, value)
  }
  there.searchParams.set("autoplay", "1")
  return there.href
}

/** Ends where the place ends, and goes on to the next; `before` may ask the viewer first. */
export const followQueue = (
  player: Player,
  queue: PlaylistQueue | undefined,
  before: (go: () => void) => void = (go) => go()
): void => {
  if (queue === undefined) return
  const { next, stop } = queue
  const { video } = player
  let over = false
  const end = () => {
    if (over || video.loop) return
    over = true
    if (next === undefined) return video.pause()
    video.pause()
    before(() => location.assign(continued(next, location.href)))
  }
  // Whoever stays and seeks comes to the end once more.
  video.addEventListener("seeking", () => {
    over = false
  })
  video.addEventListener("ended", end)
  if (stop !== undefined) whenReached(video, stop, end)
}
