import { readOptions } from "../player/Options.ts"
import { createPlayer } from "../player/Player.ts"

const root = document.querySelector<HTMLElement>("[data-video]")
if (root !== null) {
  const options = readOptions(location.search, { autoplay: false })
  const title = document.querySelector<HTMLElement>(".embed-title")
  if (title !== null) title.hidden = !options.title
  createPlayer(root, options)
}
