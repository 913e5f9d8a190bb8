import type { PlaylistQueue } from "../playlists/PlaylistQueue.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { openChannel } from "./Channel.ts"
import { reportEvents } from "./EmbedEvents.ts"
import { answerOfLastPage } from "./EmbedSteps.ts"
import { embedMethods } from "./EmbedMethods.ts"

/**
 * Lets the page around this one drive the player by messages, as the npm package `@peertube/embed-api` sends them. Asked
 * for with `api=1` in the address.
 */
export const offerEmbedApi = async (player: Player, queue: PlaylistQueue | undefined): Promise<void> => {
  if (window.parent === window) return
  let ready = false
  const methods = embedMethods(player, queue, () => ready)
  const channel = openChannel(window.parent, methods)
  await player.settled
  ready = true
  channel.notify("ready", true)
  const waiting = answerOfLastPage()
  if (waiting !== undefined) channel.answerTo(waiting)
  reportEvents(player, channel)
}
