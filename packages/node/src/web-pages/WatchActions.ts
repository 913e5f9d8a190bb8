import type { VideoDetails } from "@kinora/domain/wire/Video"
import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage, Say } from "./language/PageLanguage.ts"

const thumb = (turned: boolean): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" ${turned && html`class="turned"`}>
    <path
      d="M2.5 10.5A1.5 1.5 0 0 1 4 9h2.5A1.5 1.5 0 0 1 8 10.5v8A1.5 1.5 0 0 1 6.5 20H4a1.5 1.5 0 0 1-1.5-1.5v-8Zm7 8.3v-8.5c0-.4.13-.8.38-1.13l4.1-5.5a1.9 1.9 0 0 1 3.36 1.6L16.6 9h3.1a2.3 2.3 0 0 1 2.24 2.83l-1.5 6.3A2.5 2.5 0 0 1 18 20h-7a1.5 1.5 0 0 1-1.5-1.2Z"
    />
  </svg>`

const button = (t: Say<"watch">, name: "like" | "dislike", count: number): Html =>
  html`<button type="button" class="rate" data-rate="${name}" aria-pressed="false" disabled>
    ${thumb(name === "dislike")}<span class="sr">${t(name)} </span><span data-count>${count}</span>
  </button>`

/** The like and dislike counts, which the browser code turns into buttons. */
export const rateButtons = (language: PageLanguage, video: VideoDetails): Html => {
  const t = language.text("watch")
  return html`<div class="rates" role="group" aria-label="${t("rating")}" data-rates="${video.uuid}">
    ${button(t, "like", video.likes)}${button(t, "dislike", video.dislikes)}
  </div>`
}
