import { hasRight } from "@kinora/domain/enums/UserRight"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/videos/access/VideoFacts"
import { Option } from "effect"

/** How the video was named: row ids can be counted through, so they open less than a UUID. */
export type NamedBy = "id" | "uuid" | "file"

/** `login`: anybody who logs in may see it, or at least learn more; `hidden`: as if it were not there. */
export type Decision = "open" | "password" | "login" | "forbidden" | "hidden"

/** States in which a video has something to show to everybody it is meant for. */
const shownStates: ReadonlySet<number> = new Set([
  VideoState.published,
  VideoState.waitingForLive,
  VideoState.liveEnded
])

const isPublicOrUnlisted = (privacy: number): boolean =>
  privacy === VideoPrivacy.public || privacy === VideoPrivacy.unlisted

/** Whether the user owns the video or may see all. */
export const manages = (video: VideoFacts, user: Option.Option<CurrentUserShape>): boolean =>
  Option.isSome(user) && (user.value.accountId === video.accountId || hasRight(user.value.role, "SEE_ALL_VIDEOS"))

/** Whether files of the video may be kept by shared caches. */
export const isForEverybody = (video: VideoFacts): boolean => isPublicOrUnlisted(video.privacy) && !video.blacklisted

const refusal = (namedBy: NamedBy, user: Option.Option<CurrentUserShape>): Decision =>
  namedBy === "uuid" ? (Option.isNone(user) ? "login" : "forbidden") : "hidden"

/**
 * Who may see a video: the one rule for the API, files, pages and everything that tells of videos.
 *
 * Owner and moderators see all of theirs. Blocked, private and (for anonymous viewers) internal videos are refused;
 * who only knows the row id does not learn that they exist. Unlisted videos open by UUID only, those that are not
 * published yet to nobody else. Files of a public or unlisted video open by their name whatever its state: names are
 * unguessable, and players fetch them without a login.
 */
export const decide = (video: VideoFacts, user: Option.Option<CurrentUserShape>, namedBy: NamedBy): Decision => {
  if (manages(video, user)) return "open"
  if (video.blacklisted) return refusal(namedBy, user)
  if (!shownStates.has(video.state) && !(namedBy === "file" && isPublicOrUnlisted(video.privacy))) return "hidden"
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
