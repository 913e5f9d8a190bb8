import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { VideoDetails } from "@kinora/domain/wire/Video"

/**
 * What a page that anyone can open may say of a video: everything (`public`), everything to those who have the address
 * but nothing to search engines (`unlisted`), only that it is there (`locked`), or nothing (`hidden`).
 */
export type Showing = "public" | "unlisted" | "locked" | "hidden"

export const showing = (video: Pick<VideoDetails, "privacy" | "state" | "blacklisted">): Showing => {
  if (video.blacklisted === true) return "hidden"
  switch (video.privacy.id) {
    case VideoPrivacy.public:
      return video.state.id === VideoState.published ? "public" : "unlisted"
    case VideoPrivacy.unlisted:
      return "unlisted"
    case VideoPrivacy.passwordProtected:
      return "locked"
    default:
      return "hidden"
  }
}
