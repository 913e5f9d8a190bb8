import type { ShownVideo, VideoDetails } from "../api/Wire.ts"
import { createRates, createSection } from "../comments/Section.ts"
import { element } from "../player/Dom.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/site.ts"

const t = pageText("site", messages)

/** The long description, and times in the text that seek. */
export const enhanceWatchPage = (player: Player, parseTime: (text: string | null) => number | undefined): void => {
  const description = document.querySelector<HTMLElement>(".description")
  const more = document.querySelector<HTMLButtonElement>(".description-more")
  if (description !== null && more !== null && description.scrollHeight > description.clientHeight + 4) {
    more.hidden = false
    more.addEventListener("click", () => {
      const open = description.classList.toggle("open")
      more.textContent = t(open ? "showLess" : "showMore")
      more.setAttribute("aria-expanded", String(open))
    })
  } else description?.classList.add("open")

  description?.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return
    const seconds = parseTime(event.target.closest("a[data-seek]")?.getAttribute("data-seek") ?? null)
    if (seconds === undefined) return
    event.preventDefault()
    player.seek(seconds)
    player.video.scrollIntoView({ block: "center", behavior: "smooth" })
  })
}

/** Fills in what the page was written without: the video is not for everybody, and this viewer may see it. */
export const fillInVideo = (details: VideoDetails): void => {
  const article = document.querySelector<HTMLElement>(".watch article")
  const title = article?.querySelector("h1")
  if (article === null || !title) return
  document.querySelector("[data-absent]")?.remove()
  document.querySelector("[data-perhaps]")?.removeAttribute("hidden")
  document.title = details.name
  title.textContent = details.name
  if (article.querySelector(".details") !== null) return
  // The answer is whole, whatever the player reads of it.
  const shown = details as ShownVideo
  // The line of a live stays under its title.
  const above = article.querySelector("[data-live-line]") ?? title
  above.after(createRates(shown))
  article.after(createSection(shown))
  if (!details.description) return
  const description = element("div", { class: "description open", dir: "auto" }, details.description)
  article.append(element("section", { class: "details", "aria-label": t("details") }, description))
}
