import { element } from "../player/Dom.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { cuesOf, folded } from "./Cues.ts"
import { timedList } from "./TimedList.ts"

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
  if (file === undefined) return element("p", { role: "alert" }, "The subtitles could not be loaded. Please try again.")
  const cues = cuesOf(file)
  const list = timedList(player, cues, "Transcript")
  const search = element("input", {
    type: "search",
    class: "moments-search",
    placeholder: "Search in the transcript",
    "aria-label": "Search in the transcript"
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
    status.textContent = words === "" ? "" : count === 1 ? "1 line" : `${count} lines`
  })
  return element("div", {}, search, status, list)
}

/** The transcript with a choice of its language: that of the captions that are on, else the first. */
export const showTranscript = (player: Player, into: HTMLElement): void => {
  const tracks = player.captions.tracks()
  const select = element(
    "select",
    { "aria-label": "Language of the transcript" },
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
