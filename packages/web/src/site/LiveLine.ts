import { messages } from "@kinora/domain/messages/en/live"
import type { ShownVideo } from "../api/Wire.ts"
import { documentLanguage } from "../i18n/DocumentLanguage.ts"
import { pageText } from "../i18n/PageText.ts"
import { element } from "../player/Dom.ts"
import { liveStateOf, nextSchedule } from "../player/LiveState.ts"

const t = pageText("live", messages)

const moment = (at: number): string =>
  new Intl.DateTimeFormat(documentLanguage(), { dateStyle: "full", timeStyle: "short" }).format(at)

const short = (count: number): string =>
  new Intl.NumberFormat(documentLanguage(), { notation: "compact", maximumFractionDigits: 1 }).format(count)

const contentOf = (video: ShownVideo): ReadonlyArray<Node | string> => {
  switch (liveStateOf(video)) {
    case "on": {
      const count = video.viewers
      return [element("span", { class: "live-mark" }, t("live")), t("viewers", { count, short: short(count) })]
    }
    case "waiting": {
      const at = nextSchedule(video.liveSchedules, Date.now())
      return [t("notBegun"), ...(at === undefined ? [] : [element("span", { class: "dot" }), moment(at)])]
    }
    default:
      return [t("hasEnded")]
  }
}

/** Keeps the line under the title of a live true; a page that was written without it gets one. */
export const showLiveLine = (title: HTMLElement, video: ShownVideo): void => {
  const known = title.parentElement?.querySelector<HTMLElement>("[data-live-line]")
  const line = known ?? element("p", { class: "live-line", "data-live-line": true, role: "status" })
  // What says the same is left alone: assistive technology reads what changes.
  const content = element("p", {}, ...contentOf(video))
  if (line.innerHTML !== content.innerHTML) line.replaceChildren(...content.childNodes)
  if (!known) title.after(line)
}
