import { hasRight } from "@kinora/domain/enums/UserRight"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Option } from "effect"
import { worksOn } from "./VideoRights.ts"

/** How the video was named: row ids can be counted through, so they open less than a UUID. */
export type NamedBy = "id" | "uuid" | "file"

/** How a path names a video. */
export const namedBy = (id: VideoIdOrUuid): NamedBy => (id._tag === "Uuid" ? "uuid" : "id")

/**
 * `login`: anybody who logs in may see it, or at least learn more; `hidden`: as if it were not there; `preparing`: as if
 * it were not there yet, which only pages tell from `hidden`.
 */
export type Decision = "open" | "password" | "login" | "forbidden" | "hidden" | "preparing"

/** States in which a video has something to show to everybody it is meant for. */
const shownStates: ReadonlySet<number> = new Set([
  VideoState.published,
  VideoState.waitingForLive,
  VideoState.liveEnded
])

/** States on the way to the first publication. Those that failed, or that come later, are none of them. */
const preparingStates: ReadonlySet<number> = new Set([VideoState.toTranscode, VideoState.toImport])

const isPublicOrUnlisted = (privacy: number): boolean =>
  privacy === VideoPrivacy.public || privacy === VideoPrivacy.unlisted

/** Whether the user works on the channel of the video (its owner, its collaborators) or may see all. */
export const manages = (video: VideoFacts, user: Option.Option<CurrentUserShape>): boolean =>
  Option.isSome(user) && (worksOn(video, user.value) || hasRight(user.value.role, "SEE_ALL_VIDEOS"))

/** Whether files of the video may be kept by shared caches. */
export const isForEverybody = (video: Pick<VideoFacts, "privacy" | "blacklisted">): boolean =>
  isPublicOrUnlisted(video.privacy) && !video.blacklisted

const refusal = (namedBy: NamedBy, user: Option.Option<CurrentUserShape>): Decision =>
  namedBy === "uuid" ? (Option.isNone(user) ? "login" : "forbidden") : "hidden"

/** What others than its managers learn of a video that has nothing to show. */
const unready = (video: VideoFacts, namedBy: NamedBy): Decision =>
  namedBy === "uuid" && isPublicOrUnlisted(video.privacy) && preparingStates.has(video.state) ? "preparing" : "hidden"

/**
 * Who may see a video: the one rule for the API, files, pages and everything else that shows videos.
 *
 * Owner, collaborators of the channel and moderators see all of theirs. Blocked, private and (for anonymous viewers) internal videos are refused;
 * who only knows the row id does not learn that they exist. Unlisted videos open by UUID only, those that are not
 * published yet to nobody else. Files of a public or unlisted video open by their name whatever its state: names are
 * unguessable, and players fetch them without a login.
 *
 * A public or unlisted video on its way to publication is `preparing` to who has its UUID, which nobody but the uploader
 * has told them. The API answers as if it were not there. Pages are opened without a login, by the uploader too: they
 * say that a video is in preparation and nothing of it (no title, no picture, no owner), and begin when it is published.
 */
export const decide = (video: VideoFacts, user: Option.Option<CurrentUserShape>, namedBy: NamedBy): Decision => {
  if (manages(video, user)) return "open"
  if (video.blacklisted) return refusal(namedBy, user)
  if (!shownStates.has(video.state) && !(namedBy === "file" && isPublicOrUnlisted(video.privacy))) {
    return unready(video, namedBy)
  }
  switch (video.privacy) {
    case VideoPrivacy.public:
      return "open"
    case VideoPrivacy.unlisted:
      return namedBy === "id" ? "hidden" : "open"
    case VideoPrivacy.internal:
      return Option.isSome(user) ? "open" : refusal(namedBy, user)
    case VideoPrivacy.passwordProtected:
      return "password"
    default:
      return refusal(namedBy, user)
  }
}
