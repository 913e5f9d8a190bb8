import type { VideoDetails } from "@kinora/domain/wire/Video"
import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import type { Showing } from "./Visibility.ts"

/** The best file that plays without any code: a web video of at most 1080p. */
const plainFile = (video: VideoDetails): string | undefined =>
  [...video.files]
    .filter((it) => it.hasVideo)
    .sort((a, b) => b.resolution.id - a.resolution.id)
    .find((it) => it.resolution.id <= 1080)?.fileUrl

/**
 * The place of the player. The browser code fills it; without it, the browser's own player shows a web video file, or a
 * line says what is missing. Of a video that may not be shown nothing but the uuid is in it: `data-restricted` makes the
 * browser code load the rest for users who may see the video.
 */
export const stage = (video: VideoDetails, shown: Showing, origin: string, inside?: Html): Html => {
  if (shown !== "public" && shown !== "unlisted") {
    return html`<div
      class="stage"
      data-video="${video.uuid}"
      data-origin="${origin}"
      data-restricted
      ${shown === "pending" && html`data-pending`}
    >
      <video playsinline preload="none"></video>
    </div>`
  }
  const remote = video.thumbnails.toSorted((a, b) => b.width - a.width)[0]?.fileUrl
  const poster = urlAttribute("poster", video.previewPath || remote)
  const file = plainFile(video)
  return html`<div class="stage" data-video="${video.uuid}" data-duration="${video.duration}" data-origin="${origin}">
    <video playsinline preload="none" ${poster} aria-label="${video.name}"></video>${inside}<noscript
      >${
        file === undefined
          ? html`<p class="embed-message">Playing this video needs JavaScript.</p>`
          : html`<video controls playsinline preload="none" ${poster}${urlAttribute("src", file)}></video>`
      }</noscript
    >
  </div>`
}
