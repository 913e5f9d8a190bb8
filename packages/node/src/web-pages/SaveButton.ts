import type { VideoDetails } from "@kinora/domain/wire/Video"
import { type Html, html } from "../platform/html/Html.ts"

/** Opens the playlists of the logged-in user, to save the video to them. The browser code shows it. */
export const saveButton = (video: Pick<VideoDetails, "id" | "uuid">): Html =>
  html`<span class="save"
    ><button type="button" data-save="${video.id}" data-uuid="${video.uuid}" aria-haspopup="dialog" hidden>
      Save
    </button></span
  >`
