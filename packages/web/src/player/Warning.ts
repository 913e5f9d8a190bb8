import { messages } from "@kinora/domain/messages/en/sensitive"
import { choicesOf, type NsfwChoices, type Treatment, treatmentFor } from "@kinora/domain/text/SensitiveText"
import type { VideoDetails } from "../api/Wire.ts"
import { myChoices, policyOfPage } from "../session/NsfwChoices.ts"
import { element } from "./Dom.ts"
import { pageText } from "../i18n/PageText.ts"

const t = pageText("sensitive", messages)

export interface Warning {
  /** Whether the viewer still has to say that they want to watch. */
  readonly stands: () => boolean
  /** Shows the warning, or takes it away, as the viewer's choices say. */
  readonly settle: (video: VideoDetails) => Promise<void>
}

const draw = (video: VideoDetails): HTMLElement => {
  const heading = t("heading")
  const drawn = element(
    "div",
    { class: "sensitive", role: "group", "aria-label": heading },
    element("p", { class: "sensitive-heading" }, heading),
    element("p", {}, t("text", { flags: video.nsfwFlags & 3 }))
  )
  if (video.nsfwSummary) drawn.append(element("p", { class: "sensitive-summary", dir: "auto" }, video.nsfwSummary))
  drawn.append(element("button", { type: "button" }, t("watch")))
  return drawn
}

/**
 * The warning over the player of a sensitive video. The page has it already when the instance's policy asks for one; what
 * a user who is logged in chose stands above that.
 */
export const createWarning = (root: HTMLElement, accepted: () => void): Warning => {
  let shown = root.querySelector<HTMLElement>(".sensitive")
  let isAccepted = false

  const remove = () => {
    shown?.remove()
    shown = null
    delete root.dataset["treatment"]
  }

  const listen = () => {
    shown?.querySelector("button")?.addEventListener("click", () => {
      isAccepted = true
      remove()
      accepted()
    })
  }

  const show = (video: VideoDetails, treatment: Exclude<Treatment, "display">) => {
    root.dataset["treatment"] = treatment
    if (shown !== null) return
    shown = draw(video)
    root.append(shown)
    listen()
  }

  listen()
  return {
    stands: () => shown !== null,
    settle: async (video) => {
      if (isAccepted || !video.nsfw) return
      const choices: NsfwChoices = (await myChoices()) ?? choicesOf(policyOfPage())
      const treatment = treatmentFor(video, choices)
      if (isAccepted) return
      if (treatment === "display") remove()
      else show(video, treatment)
    }
  }
}
