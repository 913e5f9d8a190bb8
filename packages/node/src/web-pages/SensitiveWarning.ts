import { choicesOf, type Treatment, treatmentFor } from "@kinora/domain/text/SensitiveText"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import type { PageInstance } from "./PageInstance.ts"

/** How pages, which are the same for everybody, show a video: as the instance's policy says. */
export const treatmentHere = (video: VideoDetails, instance: PageInstance["Service"]): Treatment =>
  treatmentFor(video, choicesOf(instance.nsfwPolicy))

/** Lies over the player until its button is pressed. Without scripts, it stands above the picture as a line. */
export const sensitiveWarning = (language: PageLanguage, video: VideoDetails): Html => {
  const t = language.text("sensitive")
  const heading = t("heading")
  return html`<div class="sensitive" role="group" aria-label="${heading}">
    <p class="sensitive-heading">${heading}</p>
    <p>${t("text", { flags: video.nsfwFlags & 3 })}</p>
    ${video.nsfwSummary !== "" && html`<p class="sensitive-summary" dir="auto">${video.nsfwSummary}</p>`}
    <button type="button">${t("watch")}</button>
  </div>`
}
