import { addFeatures } from "../player/features/Features.ts"
import { readOptions } from "../player/Options.ts"
import { createPlayer } from "../player/Player.ts"
import { queueOfPage, followQueue, inQueue } from "../playlists/PlaylistQueue.ts"
import { loadPageLanguage } from "../i18n/PageText.ts"

/** Starts the player, in the language of the page. */
const start = (): void => {
  const root = document.querySelector<HTMLElement>("[data-video]")
  if (root !== null) {
    const queue = queueOfPage()
    const options = inQueue(readOptions(location.search, { autoplay: false }), queue)
    const title = document.querySelector<HTMLElement>(".embed-title")
    if (title !== null) title.hidden = !options.title
    const player = createPlayer(root, options)
    followQueue(player, queue)
    if (options.controls) addFeatures(player, queue)
    if (options.api) void import("../embed/EmbedApi.ts").then((it) => it.offerEmbedApi(player, queue))
  }
}

void loadPageLanguage().then(start)
