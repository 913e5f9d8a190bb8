import { continued } from "../playlists/PlaylistQueue.ts"
import type { RequestId } from "./Channel.ts"

const prefix = "#answer="

/**
 * Goes to another place of the playlist. The request that asked for it is answered by that page when its player is there,
 * so that whoever waits for the answer may ask the next thing.
 */
export const goTo = (address: string, id: RequestId | undefined): void => {
  const next = continued(address, location.href)
  location.assign(typeof id === "number" ? `${next}${prefix}${id}` : next)
}

/** The request that the page before left to this one. */
export const answerOfLastPage = (): number | undefined => {
  const id = location.hash.startsWith(prefix) ? location.hash.slice(prefix.length) : ""
  if (!/^\d{1,12}$/.test(id)) return undefined
  history.replaceState(history.state, "", location.pathname + location.search)
  return Number(id)
}
