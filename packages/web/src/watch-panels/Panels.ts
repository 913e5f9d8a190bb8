import { call } from "../api/Call.ts"
import type { ShownVideo } from "../api/Wire.ts"
import { element } from "../player/Dom.ts"
import type { Player } from "../player/PlayerInterface.ts"
import { timedList } from "./TimedList.ts"
import { showTranscript } from "./Transcript.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/panels.ts"

const t = pageText("panels", messages)

/** A button beside the facts of the video that opens a panel below them. What is in it is made when it opens first. */
const offerPanel = (facts: HTMLElement, label: string, fill: (into: HTMLElement) => void): void => {
  const panel = element("section", { class: "watch-panel", "aria-label": label })
  panel.hidden = true
  const button = element("button", { type: "button", class: "fact-button", "aria-expanded": "false" }, label)
  button.addEventListener("click", () => {
    panel.hidden = !panel.hidden
    button.setAttribute("aria-expanded", String(!panel.hidden))
    if (!panel.hidden && panel.childElementCount === 0) fill(panel)
  })
  // The page ends the line of facts with a space, which would stand before the dot.
  if (facts.lastChild instanceof Text) facts.lastChild.data = facts.lastChild.data.trimEnd()
  facts.append(element("span", { class: "dot" }), element("wbr"), button)
  ;(facts.closest(".details") ?? facts).before(panel)
}

/** Offers the chapters and the transcript of a video that has them. */
export const offerPanels = async (player: Player, video: ShownVideo): Promise<void> => {
  const facts = document.querySelector<HTMLElement>(".details .facts")
  if (facts === null) return
  const chapters = await call("GET /api/v1/videos/:id/chapters", {
    params: { id: video.uuid },
    headers: player.headers()
  })
  if (chapters.ok && chapters.body.chapters.length > 0) {
    const items = chapters.body.chapters.map((it) => ({ start: it.timecode, text: it.title }))
    offerPanel(facts, t("chapters"), (into) => into.append(timedList(player, items, t("chapters"))))
  }
  const offerTranscript = () => {
    if (player.captions.tracks().length === 0 || facts.dataset["transcript"] !== undefined) return
    facts.dataset["transcript"] = ""
    offerPanel(facts, t("transcript"), (into) => showTranscript(player, into))
  }
  player.onChoices(offerTranscript)
  offerTranscript()
}
