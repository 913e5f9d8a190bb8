import { hasRight, type UserRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/videos/access/VideoFacts"
import { Option } from "effect"

const ownsOr =
  (right: UserRight) =>
  (video: VideoFacts, user: Option.Option<CurrentUserShape>): boolean =>
    Option.isSome(user) && (user.value.accountId === video.accountId || hasRight(user.value.role, right))

/** Whether the user may delete the video. */
export const mayRemove = ownsOr("REMOVE_ANY_VIDEO")

/** Whether the user may change the video, and see what only its makers see. */
export const mayUpdate = ownsOr("UPDATE_ANY_VIDEO")
