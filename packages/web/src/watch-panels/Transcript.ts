import { element } from "../player/Dom.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { cuesOf, folded } from "./Cues.ts"
import { timedList } from "./TimedList.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/panels.ts"

const t = pageText("panels", messages)

const textAt = async (address: string): Promise<string | undefined> => {
  try {
    const answer = await fetch(address)
    return answer.ok ? await answer.text() : undefined
  } catch {
    return undefined
  }
}

/** What is said, from the subtitles of one language, with a search in it. */
const transcriptOf = async (player: Player, address: string): Promise<HTMLElement> => {
  const file = await textAt(address)
  if (file === undefined) return element("p", { role: "alert" }, t("notLoaded"))
  const cues = cuesOf(file)
  const list = timedList(player, cues, t("transcript"))
  const search = element("input", {
    type: "search",
    class: "moments-search",
    placeholder: t("search"),
    "aria-label": t("search")
  })
  const status = element("p", { class: "sr", role: "status" })
  search.addEventListener("input", () => {
    const words = folded(search.value.trim())
    let count = 0
    ;[...list.children].forEach((item, n) => {
      const isFound = folded(cues[n]!.text).includes(words)
      item.toggleAttribute("hidden", !isFound)
      if (isFound) count++
    })
    status.textContent = words === "" ? "" : t("found", { count })
  })
  return element("div", {}, search, status, list)
}

/** The transcript with a choice of its language: that of the captions that are on, else the first. */
export const showTranscript = (player: Player, into: HTMLElement): void => {
  const tracks = player.captions.tracks()
  const select = element(
    "select",
    { "aria-label": t("language") },
    ...tracks.map((it, n) => element("option", { value: n }, it.label))
  )
  const place = element("div", { "aria-busy": "true" })
  const show = () => {
    const track = tracks[Number(select.value)]
    if (track === undefined) return
    void transcriptOf(player, track.src).then((made) => {
      place.removeAttribute("aria-busy")
      place.replaceChildren(made)
    })
  }
  select.value = String(Math.max(0, player.captions.selected()))
  select.hidden = tracks.length < 2
  select.addEventListener("change", show)
  into.append(select, place)
  show()
}
