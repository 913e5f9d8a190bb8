import type { VideoDetails } from "@kinora/domain/wire/Video"
import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"
import { liveWithoutScript } from "./LiveWords.ts"
import { sensitiveWarning, treatmentHere } from "./SensitiveWarning.ts"
import type { Showing } from "./Visibility.ts"

/** The best file that plays without scripts: a web video of at most 1080p. */
const plainFile = (video: VideoDetails): string | undefined =>
  [...video.files]
    .filter((it) => it.hasVideo)
    .sort((a, b) => b.resolution.id - a.resolution.id)
    .find((it) => it.resolution.id <= 1080)?.fileUrl

/**
 * The place of the player. The browser code fills it. Without scripts, the browser's own player shows a web video file,
 * or a line says what is missing. For a video that may not be shown it contains only the UUID: `data-restricted` makes
 * the browser code load the rest for users who may see it.
 */
export const stage = (
  { instance, language }: Pick<Surroundings, "instance" | "language">,
  video: VideoDetails,
  shown: Showing,
  inside?: Html
): Html => {
  const { origin } = instance
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
  const treatment = treatmentHere(video, instance)
  return html`<div
    class="stage"
    data-video="${video.uuid}"
    data-duration="${video.duration}"
    data-origin="${origin}"
    ${treatment !== "display" && html`data-treatment="${treatment}"`}
  >
    <video playsinline preload="none" ${poster} aria-label="${video.name}"></video
    >${inside}${treatment !== "display" && sensitiveWarning(language, video)}<noscript
      >${
        video.isLive
          ? liveWithoutScript(language, video)
          : file === undefined
            ? html`<p class="embed-message">${language.text("watch")("playingNeedsScript")}</p>`
            : html`<video
                controls
                playsinline
                preload="none"
                ${treatment !== "blur" && poster}${urlAttribute("src", file)}
              ></video>`
      }</noscript
    >
  </div>`
}
