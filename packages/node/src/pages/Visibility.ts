import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { VideoDetails } from "@kinora/domain/wire/Video"

/**
 * What a page that anyone can open may say of a video: everything (`public`), everything to those who have the address
 * but nothing to search engines (`unlisted`), only that it is there and asks for a password (`locked`) or is not ready
 * yet (`pending`), or nothing (`hidden`).
 */
export type Showing = "public" | "unlisted" | "locked" | "pending" | "hidden"

/** In other states the API tells strangers nothing of a video; those of live streams are for everyone. */
const open: ReadonlyArray<number> = [VideoState.published, VideoState.waitingForLive, VideoState.liveEnded]

export const showing = (video: Pick<VideoDetails, "privacy" | "state" | "blacklisted">): Showing => {
  if (video.blacklisted === true) return "hidden"
  const ready = open.includes(video.state.id)
  switch (video.privacy.id) {
    case VideoPrivacy.public:
      return ready ? "public" : "pending"
    case VideoPrivacy.unlisted:
      return ready ? "unlisted" : "pending"
    case VideoPrivacy.passwordProtected:
      return "locked"
    default:
      return "hidden"
  }
}

/** What stands in place of the title when there is nothing to tell but that the video is there. */
export const standIn = (shown: Showing): string | undefined =>
  shown === "locked" ? "Protected video" : shown === "pending" ? "Video in preparation" : undefined
