import { readOptions } from "../player/Options.ts"
import { createPlayer } from "../player/Player.ts"
import { parseTime } from "../player/Time.ts"
import { isLoggedIn } from "../session/Kept.ts"
import { enhanceSite } from "../site/Site.ts"
import { enhanceWatchPage, tellVideo } from "../site/Watch.ts"

enhanceSite()

const root = document.querySelector<HTMLElement>("[data-video]")
// A video that strangers find nothing of is asked for by who may be more than a stranger.
if (root?.dataset["video"] === "") root.dataset["video"] = location.pathname.split("/").pop()
if (root !== null && (isLoggedIn() || root.closest("[data-perhaps]") === null)) {
  const player = createPlayer(root, readOptions(location.search, { autoplay: true }), tellVideo)
  enhanceWatchPage(player, parseTime)
}
