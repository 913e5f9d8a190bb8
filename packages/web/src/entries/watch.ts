import { readOptions } from "../player/Options.ts"
import { createPlayer } from "../player/Player.ts"
import { parseTime } from "../player/Time.ts"
import { enhanceSite } from "../site/Site.ts"
import { enhanceWatchPage } from "../site/Watch.ts"

enhanceSite()

const root = document.querySelector<HTMLElement>("[data-video]")
if (root !== null) {
  const player = createPlayer(root, readOptions(location.search, { autoplay: true }))
  enhanceWatchPage(player, parseTime)
}
