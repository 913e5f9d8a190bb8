import { readOptions } from "../player/Options.ts"
import { createPlayer } from "../player/Player.ts"
import { courseOfPage, followCourse, onCourse } from "../playlists/Course.ts"

const root = document.querySelector<HTMLElement>("[data-video]")
if (root !== null) {
  const course = courseOfPage()
  const options = onCourse(readOptions(location.search, { autoplay: false }), course)
  const title = document.querySelector<HTMLElement>(".embed-title")
  if (title !== null) title.hidden = !options.title
  followCourse(createPlayer(root, options), course)
}
