import type { VideoDetails } from "@kinora/domain/wire/Video"
import { type Html, html } from "../platform/html/Html.ts"
import { bareLayout, type Surroundings } from "./Layout.ts"
import { noIndex, videoAddresses, videoData } from "./Metadata.ts"
import { stage } from "./Stage.ts"
import { type Showing, standIn } from "./Visibility.ts"

/** Only the player, for frames on other sites. */
export const embedPage = (surroundings: Surroundings, video: VideoDetails, shown: Showing): Html => {
  const { origin } = surroundings.instance
  const { canonical, watch } = videoAddresses(video, origin)
  const instead = standIn(surroundings.language, shown)
  const title = html`<div class="embed-title">
    <a href="${watch}" target="_blank" rel="noopener" dir="auto">${video.name}</a>
  </div>`
  return bareLayout(surroundings, {
    title: instead ?? video.name,
    entry: "embed",
    head:
      instead !== undefined
        ? noIndex
        : html`${noIndex}<link rel="canonical" href="${canonical}" />${
              shown === "public" && videoData(video, surroundings)
            }`,
    body: stage(surroundings, video, shown, title)
  })
}

/** Shown in a frame if there is no such video. */
export const embedMessagePage = (surroundings: Surroundings, title: string, text: string): Html =>
  bareLayout(surroundings, {
    title,
    entry: "embed",
    head: noIndex,
    body: html`<div class="embed-message">
      <p>${text}</p>
      <p><a href="${surroundings.instance.origin}/" target="_blank" rel="noopener">${surroundings.instance.name}</a></p>
    </div>`
  })
