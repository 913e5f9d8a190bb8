import type { VideoDetails } from "@kinora/domain/wire/Video"
import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"

/** Opens the playlists of the logged-in user, to save the video to them. The browser code shows it. */
export const saveButton = (language: PageLanguage, video: Pick<VideoDetails, "id" | "uuid">): Html =>
  html`<span class="save"
    ><button type="button" data-save="${video.id}" data-uuid="${video.uuid}" aria-haspopup="dialog" hidden>
      ${language.text("watch")("save")}
    </button></span
  >`
