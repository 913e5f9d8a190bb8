import { documentLanguage } from "../i18n/DocumentLanguage.ts"
import { element } from "./Dom.ts"
import type { Overlay } from "./Overlay.ts"
import { t } from "./LiveText.ts"

const moment = (at: number): string =>
  new Intl.DateTimeFormat(documentLanguage(), { dateStyle: "full", timeStyle: "short" }).format(at)

const advice = (text: string) => element("p", { class: "kp-advice" }, text)

/** What stands over the picture while a live is not on. */
export interface LivePanels {
  readonly soon: (schedule: number | undefined) => void
  readonly over: (text: string | undefined) => void
  readonly replay: (watch: () => void) => void
}

export const createLivePanels = (root: HTMLElement, overlay: Overlay): LivePanels => {
  const show = (...content: ReadonlyArray<HTMLElement>) => {
    root.classList.add("kp-off")
    overlay.busy(false)
    overlay.notice(undefined)
    overlay.show("live", ...content)
  }
  return {
    soon: (at) =>
      show(
        element("p", {}, t("notBegun")),
        ...(at === undefined ? [] : [element("p", {}, t("beginsAt", { when: moment(at) }))]),
        advice(t("byItself"))
      ),
    over: (text) => show(element("p", {}, t("over")), ...(text === undefined ? [] : [advice(text)])),
    replay: (watch) => {
      const button = element("button", { type: "button", class: "kp-again" }, t("watchReplay"))
      button.addEventListener("click", watch)
      show(element("p", {}, t("over")), advice(t("replayIsHere")), button)
    }
  }
}
